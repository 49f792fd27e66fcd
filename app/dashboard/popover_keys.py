"""The keyboard in popovers. Streamlit draws what a popover holds at the end of the page and leaves the focus
on its button, so that Tab would pass over it: who opens one by keyboard is led into it. Escape leads back. So
does the end of a form that closes its popover, where Streamlit would leave the focus nowhere."""

SCRIPT = """
if (!window.parleyLeadsIntoPopovers) {
  window.parleyLeadsIntoPopovers = true;
  let latest = null;
  const findBody = () => document.querySelector("[data-testid='stPopoverBody']");
  const help = "[data-testid=stTooltipHoverTarget] button";
  const fields = ["input", "textarea", "button"].map(one => `${one}:not([disabled], ${help})`) + ", a[href]";
  const lead = () => {
    // What a popover holds is drawn bit by bit: the focus waits until the first field stays the same.
    let tries = 40, first = null, seen = 0;
    const look = () => {
      const field = findBody()?.querySelector(fields);
      seen = field && field === first ? seen + 1 : 0;
      first = field;
      if (seen >= 4) field.focus();
      else if (tries-- > 0) setTimeout(look, 50);
    };
    setTimeout(look, 50);
  };
  const giveBack = opener => {
    // A button with another label is another button, in a place that keeps its key.
    const places = [...opener.closest("[data-testid='stLayoutWrapper']")?.classList ?? []];
    const key = places.find(one => one.startsWith("st-key-"));
    const find = () => key ? document.querySelector(`.${key} button`) : opener;
    // A slow page draws the popover some time after the click, and the button anew after it is gone.
    let waits = 100, wasOpen = false;
    const look = () => {
      if (latest !== opener) return;
      if (findBody()) [wasOpen, waits] = [true, 10];
      else if (wasOpen && document.activeElement === document.body) find()?.focus();
      if (waits-- > 0) setTimeout(look, 200);
    };
    latest = opener;
    look();
  };
  const onOpening = (event, follow) => {
    const opener = event.target.closest?.("[data-testid='stPopover'] button");
    if (opener && !findBody()) follow(opener);
  };
  document.addEventListener("keydown", event => {
    if (["Enter", " "].includes(event.key)) onOpening(event, lead);
  });
  document.addEventListener("click", event => onOpening(event, giveBack), true);
}
"""
