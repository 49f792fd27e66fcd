"""What does not fit on a page: text that is cut, controls under another, a page wider than its window."""

from playwright.sync_api import Page

_FIND_FAULTS = """() => {
  const faults = [];
  const name = e => {
    const text = (e.getAttribute("aria-label") || e.innerText || e.value || e.placeholder || "").trim();
    return `${e.tagName.toLowerCase()} "${text.replaceAll(/\\s+/g, " ").slice(0, 60)}"`;
  };
  const isShown = e => {
    const box = e.getBoundingClientRect();
    return box.width > 2 && box.height > 2 && !e.closest("[data-testid=stSidebar][data-collapsed=true]")
      && e.checkVisibility({ visibilityProperty: true, opacityProperty: true });
  };
  const pane = document.querySelector("[data-testid=stMain]");
  for (const e of [document.documentElement, pane])
    if (e && e.scrollWidth > e.clientWidth + 1) faults.push(`wider than its window: ${e.scrollWidth}`);

  // The texts are measured as they are drawn: the box of an ellipsis says nothing of what is behind it.
  for (const e of document.querySelectorAll("[data-testid=stApp] *, [role=dialog] *")) {
    if (e.closest("svg, canvas, .dvn-scroller, .stPlotlyChart, [aria-hidden=true]") || !isShown(e)) continue;
    const own = [...e.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
    if (e.matches("input, textarea")) {
      const over = e.scrollWidth > e.clientWidth + 1;
      if (over && e.tagName === "INPUT" && !e.matches(":focus")) faults.push(`cut field: ${name(e)}`);
    } else if (own) {
      const range = document.createRange();
      range.selectNodeContents(e);
      const text = range.getBoundingClientRect();
      for (let box = e; box && box !== document.body; box = box.parentElement) {
        const css = getComputedStyle(box);
        if (["auto", "scroll"].includes(css.overflowX) && box !== pane) break; // it is scrolled there
        if (!["hidden", "clip"].includes(css.overflowX) && css.textOverflow !== "ellipsis") continue;
        const limit = box.getBoundingClientRect();
        if (limit.width <= 2 || limit.height <= 2) break; // for screen readers alone
        if (text.right > limit.right + 1 || text.left < limit.left - 1
            || (box === e && (e.scrollWidth > e.clientWidth + 1 || e.scrollHeight > e.clientHeight + 2))) {
          faults.push(`cut text: ${name(e)}`);
          break;
        }
      }
    }
  }

  const controls = "button, a[href], input, select, textarea, [role=tab], [role=radio], [role=combobox]";
  const dialog = document.querySelector("[role=dialog]");
  for (const e of (dialog ?? document).querySelectorAll(controls)) {
    if (!isShown(e) || e.closest(".dvn-scroller, [aria-hidden=true]") || e.disabled) continue;
    if (e.matches("input[type=file], input[type=checkbox], input[type=radio]")) continue; // drawn by others
    e.scrollIntoView({ block: "center", inline: "center", behavior: "instant" });
    const box = e.getBoundingClientRect();
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const top = document.elementFromPoint(x, y);
    if (top && (e.contains(top) || top.contains(e))) continue;
    const outside = x < 0 || y < 0 || x > innerWidth || y > innerHeight;
    const cover = top ? name(top) : "nothing";
    faults.push(outside ? `out of the window: ${name(e)}` : `under ${cover}: ${name(e)}`);
  }
  pane?.scrollTo({ top: 0, left: 0, behavior: "instant" });
  return [...new Set(faults)];
}"""


def find_layout_faults(page: Page) -> list[str]:
    """What is wrong with the page at its present width."""
    faults: list[str] = page.evaluate(_FIND_FAULTS)
    return faults
