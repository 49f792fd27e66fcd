"""Components under test, drawn by Streamlit."""

from tests import component_scan as component_scan
