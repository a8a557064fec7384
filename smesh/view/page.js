/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * A report's page: figures sorted by any column, the best few first, and the data and picture of
 * each chart to take away. Without it all rows stand there, best first. No library, no network.
 */
(function () {
	"use strict";
	var table = document.getElementById("figures"), body = table.tBodies[0];

	function make(name, parent, text) {
		var e = document.createElement(name);
		e.textContent = text;
		parent.appendChild(e);
		if (name === "button")
			e.type = "button";
		return e;
	}

	/* --- sorting ------------------------------------------------------------------ */

	function value(row, column) {
		var cell = row.cells[column], v = cell.getAttribute("data-value");
		return v === null ? cell.textContent : v === "" ? Infinity : Number(v);
	}
	function sort(heads, column) {
		var up = heads[column].getAttribute("aria-sort") !== "ascending";
		Array.prototype.slice.call(body.rows).sort(function (a, b) {
			var x = value(a, column), y = value(b, column);
			return (x < y ? -1 : x > y ? 1 : 0) * (up ? 1 : -1);
		}).forEach(function (row) { body.appendChild(row); });
		heads.forEach(function (head) { head.removeAttribute("aria-sort"); });
		heads[column].setAttribute("aria-sort", up ? "ascending" : "descending");
	}
	var heads = Array.prototype.slice.call(table.tHead.rows[0].cells);
	heads.forEach(function (head, column) {
		var text = head.textContent;
		head.textContent = "";
		make("button", head, text).addEventListener("click", function () { sort(heads, column); });
	});

	if (heads.length > 1)
		sort(heads, 1);

	/* --- the rest of the strategies ------------------------------------------------ */

	var rest = body.querySelectorAll("tr.rest");
	if (rest.length) {
		var more = document.createElement("button"), folded = false;
		var fold = function () {
			folded = !folded;
			rest.forEach(function (row) { row.hidden = folded; });
			more.textContent = folded ? "Show all " + body.rows.length + " strategies" : "Show the best alone";
			more.setAttribute("aria-expanded", String(!folded));
		};
		more.type = "button";
		more.addEventListener("click", fold);
		table.parentNode.insertAdjacentElement("afterend", more);
		fold();
	}

	/* --- charts to take away --------------------------------------------------------- */

	function save(name, type, text) {
		var link = document.createElement("a");
		link.href = URL.createObjectURL(new Blob([text], {type: type}));
		link.download = name;
		link.click();
		setTimeout(function () { URL.revokeObjectURL(link.href); }, 1000);
	}
	/* The picture alone needs the page's colours. */
	function picture(svg) {
		var copy = svg.cloneNode(true), style = document.createElementNS(svg.namespaceURI, "style");
		style.textContent = document.querySelector("style").textContent;
		copy.insertBefore(style, copy.firstChild);
		copy.setAttribute("xmlns", svg.namespaceURI);
		return new XMLSerializer().serializeToString(copy);
	}
	document.querySelectorAll(".charts .card").forEach(function (card) {
		var data = card.querySelector("script"), svg = card.querySelector("svg"), box = make("div", card, "");
		var title = card.querySelector("h3").textContent, name = title.replace(/[^A-Za-z0-9]+/g, "-").toLowerCase();
		box.className = "save";
		[["CSV", "text/csv", function () { return data.textContent; }],
			["SVG", "image/svg+xml", function () { return picture(svg); }]].forEach(function (kind) {
			var button = make("button", box, kind[0]);
			button.setAttribute("aria-label", title + " as " + kind[0]);
			button.addEventListener("click", function () {
				save(name + "." + kind[0].toLowerCase(), kind[1], kind[2]());
			});
		});
	});
	document.documentElement.setAttribute("data-page", "ready");
})();
