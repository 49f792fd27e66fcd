"""The arrow keys in a table of quotes. Tab reaches the table once, and the arrows its cells, each of which
then says what its number rests on; Escape hides that."""

SCRIPT = """
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
