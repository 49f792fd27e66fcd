"""The subjects of the interface: a method for each endpoint of its part 4 and each addition of ours."""
