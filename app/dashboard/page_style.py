"""What Streamlit's own elements lack for a part of the readers, mended by style."""

STYLE = """
/* The CSV that the browser makes has the rows of one page and runs what a cell holds as a formula. Where a
   file is of use, a button of ours writes one with all rows and escaped formulas. */
[data-testid="stElementToolbarButton"]:has(button[aria-label^="Download as CSV"]) { display: none; }

/* Some links and buttons show the focus by a shade alone. */
:is(a, button, summary, [role="tab"], [role="button"]):focus-visible {
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

/* The label of a disabled field is to be read too. */
[data-testid="stWidgetLabel"][disabled] { color: inherit; }

/* Texts that are cut in a narrow window. */
[data-testid="stPageLink-NavLink"] :is(span, p),
[data-testid="stMetricValue"] :is(div, p),
[data-testid="stFileUploaderDropzoneInstructions"] span {
  white-space: normal; overflow: visible; overflow-wrap: anywhere;
}
"""
