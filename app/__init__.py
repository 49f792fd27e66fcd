"""Parley: what a purchase should cost, help to get that price, and every event on the way."""
