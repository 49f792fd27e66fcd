"""The subjects of the interface: a method for each operation, extensions included."""
