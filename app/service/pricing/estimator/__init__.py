"""Pure mathematics of one product's price: from a query and its candidate purchases to a distribution."""
