"""Links to records open them inside the running session, at their address.

Without this a row of a record table loads the dashboard anew, and `st.page_link` to another record of the
same page leaves the address as it is. Streamlit opens the page of the address when the browser goes back or
forward, so that is what a click does: a new entry, and a step to it.
"""

SCRIPT = """
if (!window.parleyOpensRecords) {
  window.parleyOpensRecords = true;
  const findLink = target => {
    const row = target.closest(".parley-records tbody tr");
    const marksText = !target.closest("a") && String(getSelection());
    if (row) return marksText ? null : row.querySelector("a");
    const page = target.closest(".parley-menu a");
    if (page) return page;
    const link = target.closest("[data-testid=stPageLink] a[href*='?']");
    return link?.pathname === location.pathname ? link : null;
  };
  document.addEventListener("click", event => {
    const link = findLink(event.target);
    if (!link || event.button || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation(); // Streamlit's own answer to a page link
    if (link.href === location.href) return;
    history.pushState({}, "", link.href);
    dispatchEvent(new PopStateEvent("popstate"));
  }, true);
}
"""
