"""Everything that pages draw, in a folder or file for each subject.

A component takes contract models, returns what the user chose and fetches nothing. An example of each is
drawn in `tests/components/examples`.
"""
