/* SPDX-License-Identifier: GPL-2.0-or-later
 * Run at the end of a page of smesh inside a frame: what a person would see, in words. */
setTimeout(function () {
	"use strict";
	var said = [], canvas = document.querySelector("canvas"), slider = document.querySelector("input[type=range]");
	function colours(c) {
		var pixel = c.getContext("2d").getImageData(0, 0, c.width, c.height).data, seen = {};
		for (var i = 0; i < pixel.length; i += 4)
			seen[pixel[i] >> 4 << 8 | pixel[i + 1] >> 4 << 4 | pixel[i + 2] >> 4] = true;
		return Object.keys(seen).length;
	}
	function point(x, y) {
		var box = canvas.getBoundingClientRect();
		canvas.dispatchEvent(new PointerEvent("pointermove", {clientX: box.left + x, clientY: box.top + y, bubbles: true}));
		return document.querySelector(".tip").textContent;
	}
	/* The least difference in hue between colours that meet, in degrees: of cells beside each other.
	 * What has another lightness than jobs have is a letter. */
	function closest(c) {
		var lum = parseFloat(getComputedStyle(document.documentElement).getPropertyValue("--lum"));
		var g = c.getContext("2d"), pixel = g.getImageData(0, 0, c.width, c.height).data, least = 360;
		function hue(x, y) {
			var i = 4 * (y * c.width + x), r = pixel[i], g = pixel[i + 1], b = pixel[i + 2];
			var most = Math.max(r, g, b), spread = most - Math.min(r, g, b), light = (2 * most - spread) / 5.1;
			return spread < 60 || Math.abs(light - lum) > 1 ? -1 : 60 * (most === r ? (g - b) / spread + 6
				: most === g ? (b - r) / spread + 2 : (r - g) / spread + 4) % 360;
		}
		function along(n, at) {
			var last = -1, since = 9;
			for (var i = 0; i + 1 < n; i++, since++) {
				var h = at(i);
				if (h < 0 || h !== at(i + 1))
					continue;
				if (last >= 0 && h !== last && since < 4)
					least = Math.min(least, Math.abs((h - last + 540) % 360 - 180));
				last = h;
				since = 0;
			}
		}
		for (var y = 0; y < c.height; y++)
			along(c.width, function (x) { return hue(x, y); });
		for (var x = 0; x < c.width; x++)
			along(c.height, function (y) { return hue(x, y); });
		return least;
	}
	/* How many maps, in colours, and a tip that tells a link's figure. */
	function sayLinks() {
		var maps = Array.prototype.filter.call(document.querySelectorAll(".links"), function (v) { return !v.hidden; });
		if (!maps.length)
			return;
		canvas = maps[0].querySelector("canvas");
		said.push("links=" + maps.length + "," + (colours(canvas) > 8) + "," +
			/ on the link to the next along x: \d+\.\d\d/.test(point(6, 24)));
		sayTime();
	}
	/* Lines between vertices of several nodes: columns in the colour of edges, which are dashed themselves. */
	function sayVertices() {
		var c = canvas, lines = 0, soft = getComputedStyle(document.documentElement).getPropertyValue("--soft");
		if (JSON.parse(document.getElementById("machine-data").textContent).npv === 1)
			return;
		soft = soft.trim().substr(1).match(/../g).map(function (hex) { return parseInt(hex, 16); }).join();
		for (var x = 0; x < c.width; x++) {
			var pixel = c.getContext("2d").getImageData(x, 0, 1, c.height).data, seen = 0;
			for (var i = 0; i < pixel.length; i += 4)
				seen += pixel.slice(i, i + 3).join() === soft;
			lines += seen > 0.6 * c.height;
		}
		said.push("vertices=" + (lines > 2));
	}
	/* Do all charts over time end at the same time? */
	function sayTime() {
		var axes = [];
		document.querySelectorAll("#charts svg").forEach(function (svg) {
			var text = Array.prototype.map.call(svg.querySelectorAll("text"), function (t) { return t.textContent; }).join(" ");
			if (/ (days|hours) (jobs|percent of the nodes|boxes) /.test(text))
				axes.push(Array.from(svg.querySelectorAll("text[y='257']"))
					.map(function (t) { return t.textContent + "@" + t.getAttribute("x"); }).join());
		});
		said.push("axes=" + (axes.length > 2 && axes.every(function (a) { return a === axes[0]; })));
	}
	/* Does the first column hide what is scrolled below it, the arrows of heads too? */
	function sticks(table) {
		var first = table.tHead.rows[0].cells[0], box = table.parentElement;
		for (box.scrollLeft = 0; ; box.scrollLeft += 5) {
			var before = box.scrollLeft, at = first.getBoundingClientRect();
			for (var x = 2; x < at.width - 2; x += 4)
				if (!first.contains(document.elementFromPoint(at.left + x, at.top + at.height / 2)))
					return false;
			box.scrollLeft = before + 5;
			if (box.scrollLeft === before)
				return true;
			box.scrollLeft = before;
		}
	}
	/* The table: one more click on a head turns its order round; the rest of many is folded. */
	function sayTable() {
		var table = document.getElementById("figures"), order = [], button, head;
		if (!table)
			return;
		function values() {
			return Array.prototype.map.call(table.tBodies[0].rows, function (r) { return r.cells[head.cellIndex].getAttribute("data-value"); });
		}
		head = table.tHead.querySelector("[aria-sort]");
		button = head.querySelector("button");
		order = values();
		button.click();
		said.push("sorts=" + (values().reverse().join() === order.join() &&
			head.getAttribute("aria-sort") === "descending"));
		button.click();
		said.push("rows=" + Array.prototype.filter.call(table.tBodies[0].rows, function (r) { return !r.hidden; }).length);
		said.push("sticks=" + sticks(table));
		/* Nothing of the table is cut off, but on a phone. */
		said.push("table=" + (innerWidth < 1000 || table.parentElement.scrollWidth <= table.parentElement.clientWidth));
		said.push("charts=" + Array.prototype.every.call(document.querySelectorAll("#charts .card"), function (card) {
			return card.querySelectorAll(".keys button").length === 2 && card.querySelectorAll("svg text").length > 5;
		}));
	}
	/* Whoever has a finger, not a pointer: 44 pixels; but for the heads of the table. */
	said.push("large=" + Array.prototype.every.call(document.querySelectorAll("main > button,.controls *,.keys button"),
		function (e) { return !/^(BUTTON|SELECT|LABEL)$/.test(e.tagName) || e.getBoundingClientRect().height >= 44; }));
	/* Text against what is behind it: 4.5 to 1, 3 to 1 where it is large (WCAG AA). */
	function light(colour) {
		return [.2126, .7152, .0722].reduce(function (sum, weight, i) {
			var c = parseFloat(colour[i]) / 255;
			return sum + weight * (c <= .03928 ? c / 12.92 : Math.pow((c + .055) / 1.055, 2.4));
		}, 0);
	}
	function numbers(text) { return text.match(/[\d.]+/g); }
	function readable(e) {
		var style = getComputedStyle(e), ink = light(numbers(style.color)), paper, size = parseFloat(style.fontSize), more;
		for (; e && !paper; e = e.parentElement) {
			paper = numbers(getComputedStyle(e).backgroundColor);
			paper = paper.length < 4 || +paper[3] ? light(paper) + 1e-9 : 0;
		}
		paper = paper || 1;
		more = (Math.max(ink, paper) + .05) / (Math.min(ink, paper) + .05);
		return more >= (size >= 24 || (size > 18.5 && style.fontWeight >= 700) ? 3 : 4.5);
	}
	said.push("contrast=" + Array.prototype.every.call(document.querySelectorAll("h1,h2,h3,p,td,th,button,label,output,figcaption,small"),
		function (e) { return !e.offsetParent || !e.textContent.trim() || readable(e); }));
	function key(name) {
		document.body.dispatchEvent(new KeyboardEvent("keydown", {key: name, bubbles: true}));
	}
	said.push("script=" + document.documentElement.getAttribute("data-machine"));
	said.push("fits=" + (document.scrollingElement.scrollWidth <= document.documentElement.clientWidth));
	var maps = Array.prototype.filter.call(document.querySelectorAll(".view:not(.links)"), function (v) { return !v.hidden; });
	said.push("maps=" + maps.length);
	said.push("together=" + (maps[maps.length - 1].getBoundingClientRect().bottom - maps[0].getBoundingClientRect().top < innerHeight * 0.85));
	said.push("colourful=" + (colours(canvas) > 4));
	said.push("apart=" + maps.every(function (v) { return closest(v.querySelector("canvas")) >= 29; }));
	said.push("unclipped=" + maps.every(function (v) {
		var drawing = v.querySelector(".drawing");
		return drawing.scrollWidth <= drawing.clientWidth + 1;
	}));
	var tip = "";
	for (var y = 4; y < canvas.clientHeight && !/ job /.test(tip); y += 3)
		for (var x = 4; x < canvas.clientWidth && !/ job /.test(tip); x += 7)
			tip = point(x, y);
	said.push("tip=" + / job [^ ]+( of [^ ]+)?: \d+ nodes?/.test(tip));
	if (slider) {
		var before = canvas.toDataURL(), clock = document.querySelector("output").textContent;
		canvas.dispatchEvent(new PointerEvent("pointerleave"));
		slider.value = 1;
		slider.dispatchEvent(new Event("input"));
		said.push("slides=" + (canvas.toDataURL() !== before && document.querySelector("output").textContent !== clock));
		said.push("told=" + (slider.getAttribute("aria-valuetext") === document.querySelector("output").textContent));
		key("ArrowRight");
		said.push("keys=" + (Math.abs(slider.value - 2) < 1e-6));
		key(" ");
		setTimeout(function () {
			said.push("plays=" + (slider.value > 2));
			said.push("gantt=" + (colours(document.querySelector(".gantt canvas")) > 4));
			sayTable();
			sayVertices();
			sayLinks();
			parent.postMessage(said.join(" "), "*");
		}, 600);
	} else {
		parent.postMessage(said.join(" "), "*");
	}
}, 300);
