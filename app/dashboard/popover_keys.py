"""The keyboard in popovers. Streamlit draws what a popover holds at the end of the page and leaves the focus
on its button, so that Tab would pass over it: who opens one by keyboard is led into it. Escape leads back."""

SCRIPT = """
if (!window.parleyLeadsIntoPopovers) {
  window.parleyLeadsIntoPopovers = true;
  const findBody = () => document.querySelector("[data-testid='stPopoverBody']");
  const fields = "input:not([disabled]), textarea:not([disabled]), button:not([disabled]), a[href]";
  document.addEventListener("keydown", event => {
    const isOpener = event.target.closest?.("[data-testid='stPopover'] button");
    if (!isOpener || !["Enter", " "].includes(event.key) || findBody()) return;
    // What a popover holds is drawn bit by bit: the focus waits until the first field stays the same.
    let tries = 40, first = null, seen = 0;
    const lead = () => {
      const field = findBody()?.querySelector(fields);
      seen = field && field === first ? seen + 1 : 0;
      first = field;
      if (seen >= 4) field.focus();
      else if (tries-- > 0) setTimeout(lead, 50);
    };
    setTimeout(lead, 50);
  });
}
"""
