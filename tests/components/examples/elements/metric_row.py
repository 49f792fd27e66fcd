from components.elements.metric_row import Metric, draw_metric_row


def example() -> None:
    draw_metric_row([Metric("Median", "USD 11,495", "Percentile 50"), Metric("Waiting", "3")])
