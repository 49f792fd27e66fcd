"""Fits the estimator's calibration to past purchases. Pure."""
