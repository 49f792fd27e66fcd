"""The version of the interface, and of the service and the client that are built from it."""

VERSION = "0.2.0"
