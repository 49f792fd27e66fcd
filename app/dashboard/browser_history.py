"""The browser's Back button: one entry for each step of the reader.

Streamlit makes several entries of one step to another page: the old page with the new page's parameters, or
the new page with a tab of the old one. Back would lead to a record that does not exist, or nowhere. So what
the reader presses makes one entry, and further addresses take its place until something is pressed again.
"""

SCRIPT = """
if (!window.parleyOneEntryForEachStep) {
  window.parleyOneEntryForEachStep = true;
  const push = history.pushState.bind(history), replace = history.replaceState.bind(history);
  let isStep = false;
  for (const kind of ["pointerdown", "keydown", "click", "drop"]) {
    addEventListener(kind, () => { isStep = true; }, true);
  }
  history.pushState = (...entry) => {
    const write = isStep ? push : replace;
    isStep = false;
    return write(...entry);
  };
}
"""
