"""Everything that pages draw, in folders by subject.

A component takes contract models, returns what the user chose, fetches nothing, and draws an example of
itself.
"""
