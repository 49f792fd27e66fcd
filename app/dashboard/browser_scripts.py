"""What runs in the browser beside Streamlit's own scripts, and the style of every page.

All of it is one element, since each costs time at every run. A script installs itself once for each load of
the page.
"""

import streamlit as st

from app.dashboard import last_visit
from app.dashboard.deployment import Deployment
from app.dashboard.signing_in import identity

STYLE = """
/* The CSV that the browser makes has the rows of one page and runs what a cell holds as a formula. Where a
   file is of use, a button of ours writes one with all rows and escaped formulas. */
[data-testid="stElementToolbarButton"]:has(button[aria-label^="Download as CSV"]) { display: none; }

/* Some links and buttons show the focus by a shade alone. */
:is(a, button, summary, [role="button"]):focus-visible {
  outline: 2px solid light-dark(#0B5C75, #7CC4DA) !important; outline-offset: 1px !important;
}
main:focus-visible {
  outline: 2px solid light-dark(#0B5C75, #7CC4DA) !important; outline-offset: -2px !important;
}

/* A sidebar that is folded away is not to be reached by Tab. */
[data-testid="stSidebar"][data-collapsed="true"] { visibility: hidden; }

/* Small controls are large enough to be touched. */
button[aria-label="Clear value"] { min-width: 24px; min-height: 24px; }
[data-testid="stDateInput"] [role="spinbutton"] {
  display: inline-block; min-width: 24px; min-height: 24px; line-height: 24px; text-align: center;
}

/* The label of an opened button without a frame is to be read on a dark page too. */
button[kind="tertiary"]:is(:active, [aria-expanded="true"]) { color: inherit !important; }

/* What is chosen of several buttons is to be read on a dark page too. */
[data-testid="stButtonGroup"] button[aria-checked="true"] { color: inherit !important; }

/* The label of a disabled field is to be read too. */
[data-testid="stWidgetLabel"][disabled] { color: inherit; }

/* A link to another record of the page that is open is no place where one is. */
[data-testid="stMain"] [data-testid="stPageLink-NavLink"]:not(:hover) { background: none; }
[data-testid="stMain"] [data-testid="stPageLink-NavLink"] p { font-weight: inherit; }

/* Texts that are cut in a narrow window. */
[data-testid="stPageLink-NavLink"] :is(span, p),
[data-testid="stMetricValue"] :is(div, p),
[data-testid="stFileUploaderDropzoneInstructions"] span {
  white-space: normal; overflow: visible; overflow-wrap: anywhere;
}
"""


HISTORY = """
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
"""The browser's Back button: one entry for each step of the reader. Streamlit makes several of one step to
another page: the old page with the new page's parameters, or the new page with a tab of the old one. Back
would lead to a record that does not exist, or nowhere. So what the reader presses makes one entry, and
further addresses take its place until something is pressed again."""


FORM_KEYS = """
if (!window.parleySendsForms) {
  window.parleySendsForms = true;
  const lines = "[data-testid=stTextInput] input, [data-testid=stNumberInput] input";
  const findKey = e => [...e.classList].find(one => one.startsWith("st-key-")) ?? "";
  const findButton = field => {
    const key = findKey(field);
    const isOfForm = e => key.startsWith(findKey(e).slice(0, -"button".length));
    const buttons = [...document.querySelectorAll("[class*='st-key-'][class*='-button']")].filter(isOfForm);
    buttons.sort((one, other) => findKey(other).length - findKey(one).length);
    return buttons[0]?.querySelector("button:not([disabled])");
  };
  const findField = e => e.closest?.("[class*='st-key-']");
  const nameKey = field => {
    for (const hint of field.querySelectorAll("[data-testid=InputInstructions] span"))
      hint.firstChild.data = hint.firstChild.data.replace(/Enter to apply$/, "Enter to send");
  };
  document.addEventListener("input", event => {
    const field = findField(event.target);
    // The hint is drawn after this event.
    if (field && findButton(field)) setTimeout(nameKey, 0, field);
  });
  document.addEventListener("keydown", event => {
    if (event.key !== "Enter" || event.repeat || event.isComposing || event.shiftKey || event.altKey) return;
    const isSent = event.ctrlKey || event.metaKey
      ? event.target.matches("[data-testid=stTextArea] textarea") : event.target.matches(lines);
    const button = isSent && findButton(findField(event.target));
    // Streamlit takes over what was typed first.
    if (button) setTimeout(() => button.click());
  }, true);
}
"""
"""The Enter key in forms: in a field for a line or a number it presses the button that sends the form, as
Control and Enter do in a field for a text. Streamlit would only take over what was typed, and says so. In
a field for a day Enter is the calendar's, and what was typed there is taken over later. A field of the
form `name` has the key `name/field`, and its button the key `name-button`; Streamlit makes classes of
both."""


POPOVER_KEYS = """
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
"""The keyboard in popovers. Streamlit draws what a popover holds at the end of the page and leaves the focus
on its button, so that Tab would pass over it: who opens one by keyboard is led into it. Escape leads
back. So does the end of a form that closes its popover, where Streamlit would leave the focus nowhere."""


WRITES = """
if (!window.parleyWaitsForWrites) {
  window.parleyWaitsForWrites = true;
  const button = "[class*='st-key-'][class*='-button'] button", failure = "[class*='st-key-failure-']";
  const isRunning = () => document.querySelector("[data-testid=stApp][data-test-script-state=running]");
  let isWriting = false, failures = [], opened = null, next = [];
  const findKeyed = () => [...document.querySelectorAll("[data-testid=stMain] [class*='st-key-']")];
  const findKey = e => [...e.classList].find(one => one.startsWith("st-key-"));
  const goOn = () => {
    if (document.activeElement !== document.body) return;
    const field = next.map(key => document.querySelector(`.${CSS.escape(key)} :is(input, textarea, button)`));
    field.find(one => one && !one.disabled)?.focus();
  };
  const finish = () => {
    isWriting = false;
    setTimeout(goOn, 300);
    const link = opened;
    opened = null;
    if (!link || [...document.querySelectorAll(failure)].some(one => !failures.includes(one))) return;
    history.pushState({}, "", link);
    dispatchEvent(new PopStateEvent("popstate"));
  };
  const follow = () => {
    // The run begins some time after the click, and the answer is drawn by another run.
    let waits = 40, quiet = 0;
    const look = () => {
      if (isRunning()) [waits, quiet] = [0, 0];
      else if (waits > 0) waits--;
      else quiet++;
      if (quiet > 4) finish();
      else setTimeout(look, 50);
    };
    look();
  };
  document.addEventListener("click", event => {
    if (event.target.closest?.(button) && !isWriting) {
      isWriting = true;
      failures = [...document.querySelectorAll(failure)];
      const behind = e => event.target.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING;
      next = findKeyed().filter(behind).map(findKey);
      follow();
    }
    const link = event.target.closest?.("a[href]");
    const isOurs = link?.origin === location.origin && link.target !== "_blank" && !link.download;
    if (!isWriting || !isOurs) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    opened = link.href;
  }, true);
}
"""
"""A link that is clicked while a write runs: it is opened once the write is made, and not at all where it
failed, since the page says why. The page of the link would be drawn in place of the one that makes the write.
A button that is gone with its write leaves the focus to the next field that is still there.
The button of a write has the key `name-button`, and the panel of its failure `failure-name`."""


RECORD_LINKS = """
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
"""Links to records open them inside the running session, at their address. Without this a row of a record
table loads the dashboard anew, and `st.page_link` to another record of the same page leaves the address
as it is. Streamlit opens the page of the address when the browser goes back or forward, so that is what a
click does: a new entry, and a step to it."""


TABLE_KEYS = """
if (!window.parleyMovesInTables) {
  window.parleyMovesInTables = true;
  const steps = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
  const isCell = e => e?.matches?.(".parley-quotes [data-cell]");
  document.addEventListener("focusin", event => {
    if (!isCell(event.target)) return;
    const table = event.target.closest("table");
    table.querySelectorAll("[data-cell][tabindex='0']").forEach(cell => { cell.tabIndex = -1; });
    event.target.tabIndex = 0;
  });
  document.addEventListener("keydown", event => {
    const cell = event.target;
    if (!isCell(cell) || event.ctrlKey || event.metaKey || event.altKey) return;
    const step = steps[event.key];
    if (event.key === "Escape") cell.blur();
    if (!step) return;
    event.preventDefault();
    const rows = [...cell.closest("table").rows].map(row => [...row.querySelectorAll("[data-cell]")]);
    const row = rows.findIndex(cells => cells.includes(cell));
    rows[row + step[0]]?.[rows[row].indexOf(cell) + step[1]]?.focus();
  });
}
"""
"""The arrow keys in a table of quotes. Tab reaches the table once, and the arrows its cells, each of which
then says what its number rests on; Escape hides that."""


COPIES = """
if (!window.parleyCopiesIds) {
  window.parleyCopiesIds = true;
  document.addEventListener("click", async event => {
    const button = event.target.closest?.("button[data-copy]");
    if (!button) return;
    try {
      await navigator.clipboard.writeText(button.dataset.copy);
      button.textContent = "Copied";
      setTimeout(() => { button.textContent = "Copy id"; }, 2000);
    } catch {
      button.textContent = button.dataset.copy;
    }
  });
}
"""
"""The button that copies an id. Without a clipboard, as on a page that is not encrypted, it shows the id."""


def install_browser_scripts(deployment: Deployment | None) -> None:
    """Install them in the browser; without a deployment nobody is signed in."""
    scripts = [
        identity.RELOAD_SCRIPT,
        WRITES,
        RECORD_LINKS,
        HISTORY,
        POPOVER_KEYS,
        FORM_KEYS,
        TABLE_KEYS,
        COPIES,
    ]
    if deployment is not None:
        scripts.append(last_visit.build_visit_script(deployment))
    markup = f"<style>{STYLE}</style><script>{''.join(scripts)}</script>"
    st.html(markup, unsafe_allow_javascript=True)
