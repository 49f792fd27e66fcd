"""The application for an ASGI server of one's own, or for `streamlit run app/dashboard/asgi.py`."""

from app.dashboard.server.serving import create_app
from app.settings import Settings

app = create_app(Settings())
