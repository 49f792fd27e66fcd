"""The commands of `parley`, by what they are about."""
