"""Rows of record tables open their pages inside the running session.

Without this their links work too, but load the dashboard anew. Streamlit opens the page of the address
when the browser goes back or forward, so that is what a click does: a new entry, and a step to it.
"""

import streamlit as st

_SCRIPT = """<script>
if (!window.parleyOpensRecords) {
  window.parleyOpensRecords = true;
  document.addEventListener("click", event => {
    const link = event.target.closest(".parley-records tbody tr")?.querySelector("a");
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    if (!event.target.closest("a") && String(getSelection())) return; // somebody marks text in the row
    event.preventDefault();
    history.pushState({}, "", link.href);
    dispatchEvent(new PopStateEvent("popstate"));
  });
}
</script>"""


def open_records_in_session() -> None:
    """Install it in the browser, once for each load of the page."""
    st.html(_SCRIPT, unsafe_allow_javascript=True)
