"""Exchange rates: read from files, stored, and applied to purchases."""
