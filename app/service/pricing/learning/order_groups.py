"""Purchases by the orders that they were made in, which are what is independent: the lines of one order have
prices made together."""

import numpy as np

from app.service.pricing.estimator.candidates import Codes, Floats, Ints, Rows

# An order of a hundred lines counts for more than one of a single line, but not a hundred times as much.
_ORDER_SIZE_EXPONENT = -0.3


def number_orders(codes: Codes) -> Rows:
    """Number the orders from 0; a purchase without an order has a number of its own."""
    return np.unique(_order_keys(codes), return_inverse=True)[1]


def order_weights(order: Codes) -> Floats:
    """The weight of each purchase in fitting, by the size of its order."""
    _, inverse, counts = np.unique(order, return_inverse=True, return_counts=True)
    return np.where(order == 0, 1.0, counts[inverse].astype(np.float64) ** _ORDER_SIZE_EXPONENT)


def split_by_order(order: Codes, number: int) -> Ints:
    """The part (0 to `number` - 1) of each purchase. An order is never split; without one a purchase stands
    alone."""
    return hash_evenly(_order_keys(order)) % number


def hash_evenly(key: Ints) -> Ints:
    """Spread integers evenly, because checksums of similar names share their last bits (Knuth's
    multiplier)."""
    spread = (key.astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)) >> np.uint64(33)
    return spread.astype(np.int64)


def _order_keys(codes: Codes) -> Ints:
    return np.where(codes == 0, np.arange(len(codes)) + (1 << 33), codes.astype(np.int64))
