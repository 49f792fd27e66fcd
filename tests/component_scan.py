"""Streamlit looks through every installed package for components each time a page runs under test, which
takes longer than the page. Importing this module lets it look once."""

from functools import cache

from streamlit.components.v2 import manifest_scanner

manifest_scanner.scan_component_manifests = cache(manifest_scanner.scan_component_manifests)
