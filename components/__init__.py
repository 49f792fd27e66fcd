"""Everything that pages draw, in folders by subject.

A component takes contract models, returns what the user chose and fetches nothing. An example of each is
drawn in `tests/components/examples`.
"""
