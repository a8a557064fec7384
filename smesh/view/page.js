/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The table of figures, sorted by any column, the best few first. Without it all rows stand there,
 * best first.
 */
function cellValue(row, column) {
	var cell = row.cells[column], v = cell.getAttribute("data-value");
	return v === null ? cell.textContent : v === "" ? Infinity : Number(v);
}
function sortTable(body, heads, column) {
	var up = heads[column].getAttribute("aria-sort") !== "ascending";
	Array.from(body.rows).sort(function (a, b) {
		var x = cellValue(a, column), y = cellValue(b, column);
		return (x < y ? -1 : x > y ? 1 : 0) * (up ? 1 : -1);
	}).forEach(function (row) { body.appendChild(row); });
	heads.forEach(function (head) { head.removeAttribute("aria-sort"); });
	heads[column].setAttribute("aria-sort", up ? "ascending" : "descending");
}
function foldRest(table) {
	var rest = table.querySelectorAll("tr.rest"), more = make("button", null), folded = false;
	function fold() {
		folded = !folded;
		rest.forEach(function (row) { row.hidden = folded; });
		more.textContent = folded ? "Show all " + table.tBodies[0].rows.length + " strategies" : "Show the best alone";
		more.setAttribute("aria-expanded", String(!folded));
	}
	if (!rest.length)
		return;
	more.addEventListener("click", fold);
	table.parentNode.insertAdjacentElement("afterend", more);
	fold();
}
function setUpTable(table) {
	var heads = Array.from(table.tHead.rows[0].cells), titles = heads.map(function (head) { return head.textContent; });
	heads.forEach(function (head, column) {
		head.textContent = "";
		make("button", head, titles[column]).addEventListener("click", function () {
			sortTable(table.tBodies[0], heads, column);
		});
	});
	/* Times of a strategy that refuses jobs are of other jobs: it comes behind the others. */
	sortTable(table.tBodies[0], heads, titles.indexOf("refused") >= 0 ? titles.indexOf("refused")
		: Math.max(titles.indexOf("turnaround"), Math.min(1, heads.length - 1)));
	foldRest(table);
}
if (byId("figures"))
	setUpTable(byId("figures"));
