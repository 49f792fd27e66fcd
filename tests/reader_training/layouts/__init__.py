"""Classes of layout: programs that draw a document, each with a random structure of its own."""
