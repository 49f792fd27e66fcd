"""The browser's Back button: one entry for each page one was on.

`st.switch_page` with query parameters makes two entries, of which the first is the old page with the new
page's parameters: Back would lead to a record that does not exist. Nobody presses anything between the two,
so the second takes the place of the first.
"""

import streamlit as st

_SCRIPT = """<script>
if (!window.parleyOneEntryForEachPage) {
  window.parleyOneEntryForEachPage = true;
  const push = history.pushState.bind(history), replace = history.replaceState.bind(history);
  let canBeStray = false;
  for (const kind of ["pointerdown", "keydown"]) addEventListener(kind, () => { canBeStray = false; }, true);
  history.pushState = (state, title, url) => {
    const next = new URL(url ?? location.href, location.href);
    const moves = next.pathname !== location.pathname;
    const stray = moves && canBeStray && next.search === location.search;
    canBeStray = !moves;
    return stray ? replace(state, title, url) : push(state, title, url);
  };
}
</script>"""


def keep_one_entry_for_each_page() -> None:
    """Install it in the browser, once for each load of the page."""
    st.html(_SCRIPT, unsafe_allow_javascript=True)
