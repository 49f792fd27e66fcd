"""What percentiles of prices are called: by how many pay less or more, as every page says it."""


def name_percentile(percent: int) -> str:
    """Return `A quarter pay less` for 25, `Median` for 50, `A tenth pay more` for 90."""
    if percent == 50:
        return "Median"
    share = min(percent, 100 - percent)
    words = {10: "A tenth", 25: "A quarter"}.get(share, f"{share} %")
    return f"{words} pay {'less' if percent < 50 else 'more'}"
