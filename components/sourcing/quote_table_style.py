"""The style of the table of quotes. Cells that stay in sight need a background of their own: the themes'."""

STYLE = """<style>
.parley-quotes {
  --ground: light-dark(#FFFFFF, #12181F); --shade: light-dark(#F3F5F7, #1B232C);
  --rule: light-dark(#D3DAE1, #33404D); --soft: light-dark(#4A5661, #B4C0CB);
  --good: light-dark(#E6F4EC, #1A3327); --good-text: light-dark(#125C37, #93D7B4);
  --warn: light-dark(#FDF1E2, #38281A); --warn-text: light-dark(#7A4200, #F4BC87);
  max-height: min(80vh, 60rem); overflow: auto; border: 1px solid var(--rule); border-radius: 6px;
  scroll-padding: 6rem 1rem 1rem 15rem;
}
.parley-quotes table { border-collapse: separate; border-spacing: 0; width: 100%; margin: 0; }
.parley-quotes :is(th, td) {
  padding: .4rem .6rem; text-align: right; vertical-align: top; font-variant-numeric: tabular-nums;
  font-weight: 400; border: 0 solid var(--rule); border-width: 0 0 1px 1px; min-width: 7.4rem;
}
.parley-quotes .line {
  position: sticky; left: 0; z-index: 2; text-align: left; border-left-width: 0; background: var(--ground);
  min-width: 11rem; max-width: 15rem; overflow-wrap: anywhere;
}
.parley-quotes thead th {
  position: sticky; top: 0; z-index: 3; background: var(--shade); overflow-wrap: anywhere;
}
.parley-quotes thead .line { z-index: 4; background: var(--shade); }
.parley-quotes b { font-weight: 600; display: block; }
.parley-quotes small { display: block; color: var(--soft); font-size: .86em; }
.parley-quotes .figure { display: block; white-space: nowrap; }
.parley-quotes .amount { font-weight: 600; white-space: nowrap; }
.parley-quotes td > div + div { margin-top: .4rem; padding-top: .4rem; border-top: 1px dashed var(--rule); }
.parley-quotes .off .amount { font-weight: 400; font-style: italic; color: var(--soft); }
.parley-quotes .reason { max-width: 16rem; margin-left: auto; }
.parley-quotes .lowest { background: var(--good); }
.parley-quotes .market { background: var(--shade); }
.parley-quotes .gap {
  color: var(--soft); text-align: center; vertical-align: middle;
  background: repeating-linear-gradient(135deg, var(--ground) 0 6px, var(--shade) 6px 12px);
}
.parley-quotes .gap span {
  background: var(--ground); padding: 0 .35em; border-radius: .6em; font-size: .86em;
}
.parley-quotes .mark {
  display: inline-block; padding: 0 .45em; border-radius: .8em; font-size: .8em; white-space: nowrap;
  margin: .1rem 0 0 .25em; color: var(--soft); background: var(--shade); border: 1px solid var(--rule);
}
.parley-quotes .line .mark { margin: .1rem .25em 0 0; }
.parley-quotes .mark:is(.lowest, .low) {
  color: var(--good-text); background: var(--good); border-color: currentColor;
}
.parley-quotes .mark:is(.warning, .doubtful, .alternate, .no, .high) {
  color: var(--warn-text); background: var(--warn); border-color: currentColor;
}
.parley-quotes tfoot :is(th, td) { background: var(--shade); white-space: nowrap; }
.parley-quotes tfoot .main > * { position: sticky; bottom: 0; z-index: 3; }
.parley-quotes tfoot .main > .line { font-weight: 600; z-index: 4; }
.parley-quotes tfoot .ranked { font-weight: 600; }
.parley-quotes tfoot :is(small, .mark) { font-weight: 400; }

.parley-quotes [data-cell]:focus-visible {
  outline: 2px solid light-dark(#0B5C75, #7CC4DA); outline-offset: -2px;
}
.parley-quotes .notes {
  display: none; list-style: none; margin: 0; padding: .5rem .7rem; width: max-content;
  max-width: min(24rem, 80vw); text-align: left; white-space: normal; font-weight: 400;
  overflow-wrap: anywhere;
  color: light-dark(#0C131A, #E6EBF0); background: var(--ground); border: 1px solid var(--rule);
  border-radius: 6px; box-shadow: 0 4px 16px rgb(0 0 0 / .25);
}
.parley-quotes .notes li { margin: 0; padding: .1rem 0; font-size: .92em; }
.parley-quotes [data-cell]:is(:hover, :focus) { z-index: 9; }
.parley-quotes [data-cell]:is(:hover, :focus) > .notes {
  display: block; position: fixed; z-index: 10; position-anchor: --parley-cell;
  position-area: bottom span-right; position-try-fallbacks: flip-block, flip-inline, flip-block flip-inline;
}
.parley-quotes table:has(:hover) [data-cell]:focus:not(:hover) > .notes { display: none; }
.parley-quotes [data-cell]:is(:hover, :focus) { anchor-name: --parley-cell; anchor-scope: --parley-cell; }
</style>"""
