"""What `parley up` makes through the interface, so that a newcomer sees the whole product at work."""
