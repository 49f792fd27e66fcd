"""The browser's Back button: one entry for each page one was on.

`st.switch_page` with query parameters makes two entries, of which the first is the old page with the new
page's parameters: Back would lead to a record that does not exist. Both happen within moments, so the second
takes the place of the first.
"""

import streamlit as st

_WITHIN_MILLISECONDS = 3000

_SCRIPT = f"""<script>
if (!window.parleyOneEntryForEachPage) {{
  window.parleyOneEntryForEachPage = true;
  const push = history.pushState.bind(history), replace = history.replaceState.bind(history);
  let sameSince = -Infinity;
  history.pushState = (state, title, url) => {{
    const next = new URL(url ?? location.href, location.href), now = performance.now();
    const moves = next.pathname !== location.pathname;
    const stray = moves && next.search === location.search && now - sameSince < {_WITHIN_MILLISECONDS};
    sameSince = moves ? -Infinity : now;
    return stray ? replace(state, title, url) : push(state, title, url);
  }};
}}
</script>"""


def keep_one_entry_for_each_page() -> None:
    """Install it in the browser, once for each load of the page."""
    st.html(_SCRIPT, unsafe_allow_javascript=True)
