"""The pages: each asks and lays out. Streamlit runs them as scripts, from `app/dashboard/navigation.py`."""
