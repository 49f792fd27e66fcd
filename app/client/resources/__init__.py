"""The subjects of the interface: a method for each operation, additions of ours included."""
