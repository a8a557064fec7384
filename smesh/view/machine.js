/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The machine over time: maps side by side, a slider, who has which nodes. The page has still
 * pictures in their place, which stay where no script runs. No library, no network.
 */
(function () {
	"use strict";
	var element = document.getElementById("machine-data");
	var data = JSON.parse(element.textContent);
	var dims = data.dims, npv = data.npv;
	var vertices = dims.reduce(function (a, b) { return a * b; }, 1), cells = vertices * npv;
	var FREE = -1, HOLE = -2, DOWN = -3, DRAINED = -4, GAP = 2;
	var letters = "xyzuvw";
	var now = data.at || 0, hovered = -1, playing = 0, shown = [], moments = 0;

	function byId(id) { return document.getElementById(id); }
	function make(name, parent, text) {
		var e = document.createElement(name);
		if (text !== undefined)
			e.textContent = text;
		if (parent)
			parent.appendChild(e);
		return e;
	}

	/* --- data ---------------------------------------------------------------------- */

	/* "gap*length gap" in base 36 as [first, length, first, length, ...] */
	function ranges(text) {
		var out = [], end = 0;
		(text ? text.split(" ") : []).forEach(function (word) {
			var part = word.split("*"), length = part[1] ? parseInt(part[1], 36) : 1;
			end += parseInt(part[0], 36);
			out.push(end, length);
			end += length;
		});
		return out;
	}
	function fill(into, list, value) {
		for (var i = 0; i < list.length; i += 2)
			into.fill(value, list[i], list[i] + list[i + 1]);
	}
	var empty = new Int32Array(cells).fill(FREE);
	fill(empty, ranges(data.holes), HOLE);
	fill(empty, ranges(data.drained), DRAINED);
	fill(empty, ranges(data.down), DOWN);
	data.views.forEach(function (view) {
		view.cells = view.cells.map(ranges);
		view.owner = new Int32Array(cells);
		moments = Math.max(moments, view.waiting ? view.waiting.length : 0);
	});

	function running(view, i, t) {
		return !view.start || (view.start[i] <= t && t < view.end[i]);
	}

	/* --- words --------------------------------------------------------------------- */

	function human(s) {
		var unit = s >= 172800 ? [86400, "d"] : s >= 7200 ? [3600, "h"] : s >= 120 ? [60, "min"] : [1, "s"];
		var value = s / unit[0];
		return (value > 0 && value < 9.95 ? value.toFixed(1) : value.toFixed(0)) + " " + unit[1];
	}
	function user(job) {
		var at = data.jobs.user[job];
		return at >= 0 && data.users[at] ? " of " + data.users[at] : "";
	}
	function place(cell) {
		var v = Math.floor(cell / npv), text = [];
		dims.forEach(function (side) {
			text.push(v % side);
			v = Math.floor(v / side);
		});
		return (data.names ? data.names[cell] + " " : "") + "(" + text.join(",") + ")";
	}
	function describe(view, i) {
		var job = view.job[i], n = data.jobs.nodes[job];
		var text = "job " + data.jobs.id[job] + user(job) + ": " + n + (n === 1 ? " node" : " nodes");
		if (n > 1)
			text += ", " + view.hops[i].toFixed(2) + " hops between two";
		if (view.start)
			text += ", waited " + human(view.start[i] - data.jobs.submit[job] - (view.moved ? view.moved[i] : 0)) + ", runs " +
				human(view.end[i] - view.start[i]) + ", ends in " + human(view.end[i] - now);
		return text;
	}

	/* --- colours: the page's, so that light and dark are decided in one place ----------- */

	var colour = {};
	function readColours() {
		var style = getComputedStyle(document.documentElement);
		["free", "bad", "drain", "fg", "soft", "line", "sat", "lum", "panel", "hot"].forEach(function (name) {
			colour[name] = style.getPropertyValue("--" + name).trim();
		});
	}
	function jobColour(job) {
		var hue = 20 + Math.floor(((200 + Math.floor(job * 137508 / 1000)) % 360) * 320 / 360);
		return "hsl(" + hue + " " + colour.sat + " " + colour.lum + ")";
	}

	/* --- where cells are: as layout.c does, for the width there is ------------------------ */

	var blockWidth = Math.ceil(Math.sqrt(npv)), blockHeight = Math.ceil(npv / blockWidth);
	function planeName(plane) {
		var text = [];
		for (var d = 2; d < dims.length; d++) {
			text.push(letters[d] + "=" + (plane % dims[d]));
			plane = Math.floor(plane / dims[d]);
		}
		return text.join(" ");
	}
	function layoutWith(step, width) {
		var l = {step: step, fold: dims[0], block: [blockWidth, blockHeight]};
		if (dims.length === 1)
			l.fold = Math.max(1, Math.min(dims[0], Math.floor(width / step / blockWidth)));
		var rows = dims.length > 1 ? dims[1] : Math.ceil(dims[0] / l.fold);
		l.inside = dims.length > 1 ? dims[0] * dims[1] : dims[0];
		l.planes = vertices / l.inside;
		l.label = dims.length > 2 ? 15 : 0;
		l.width = l.fold * blockWidth * step;
		l.height = rows * blockHeight * step;
		l.pitchX = Math.max(l.width, planeName(l.planes - 1).length * 7) + GAP * 4;
		l.pitchY = l.height + l.label + (dims.length > 2 ? 8 : 0);
		l.perRow = Math.max(1, Math.min(l.planes, Math.floor((width - 4 + GAP * 4) / l.pitchX)));
		l.perRow = Math.ceil(l.planes / Math.ceil(l.planes / l.perRow)); /* no row of one plane left over */
		l.all = [l.perRow * l.pitchX - GAP * 4 + 4, Math.ceil(l.planes / l.perRow) * l.pitchY + 4];
		return l;
	}
	function layout(width, height) {
		var l, wide = 0;
		for (var step = 40; step >= 2; step--) {
			l = layoutWith(step, width);
			if (l.all[0] > width)
				continue;
			wide = wide || step;
			if (l.all[1] <= height)
				return l;
		}
		return layoutWith(wide > 6 ? 6 : wide || 1, width);
	}
	function corner(l, cell) {
		var v = Math.floor(cell / npv), slot = cell % npv;
		var plane = Math.floor(v / l.inside), inside = v % l.inside;
		return [
			2 + (plane % l.perRow) * l.pitchX +
				((inside % l.fold) * blockWidth + slot % blockWidth) * l.step,
			2 + Math.floor(plane / l.perRow) * l.pitchY + l.label +
				(Math.floor(inside / l.fold) * blockHeight + Math.floor(slot / blockWidth)) * l.step
		];
	}
	function cellAt(l, x, y) {
		var column = Math.floor((x - 2) / l.pitchX), row = Math.floor((y - 2) / l.pitchY);
		var cx = Math.floor((x - 2 - column * l.pitchX) / l.step);
		var cy = Math.floor((y - 2 - row * l.pitchY - l.label) / l.step);
		var plane = row * l.perRow + column;
		if (x < 2 || y < 2 || column >= l.perRow || plane >= l.planes || cx < 0 || cy < 0 ||
			cx >= l.fold * blockWidth || cy * l.step >= l.height)
			return -1;
		var inside = Math.floor(cy / blockHeight) * l.fold + Math.floor(cx / blockWidth);
		var slot = (cy % blockHeight) * blockWidth + cx % blockWidth;
		if (inside >= l.inside || slot >= npv)
			return -1;
		return (plane * l.inside + inside) * npv + slot;
	}

	/* --- drawing ------------------------------------------------------------------- */

	function prepare(canvas, width, height) {
		var ratio = window.devicePixelRatio || 1;
		canvas.width = Math.round(width * ratio);
		canvas.height = Math.round(height * ratio);
		canvas.style.width = width + "px";
		canvas.style.height = height + "px";
		var g = canvas.getContext("2d");
		g.scale(ratio, ratio);
		return g;
	}

	function place2d(view) {
		var l = view.layout, x = new Float32Array(cells), y = new Float32Array(cells);
		for (var i = 0; i < cells; i++) {
			var at = corner(l, i);
			x[i] = at[0];
			y[i] = at[1];
		}
		view.x = x;
		view.y = y;
	}

	/* Dashed where a dimension wraps: upper and lower edges are the second's. */
	function edges(g, l) {
		g.lineWidth = 1;
		for (var plane = 0; plane < l.planes; plane++) {
			var left = 1.5 + (plane % l.perRow) * l.pitchX;
			var top = 1.5 + Math.floor(plane / l.perRow) * l.pitchY + l.label;
			var right = left + l.width + 1, bottom = top + l.height + 1;
			[[0, left, top, left, bottom], [0, right, top, right, bottom], [1, left, top, right, top],
				[1, left, bottom, right, bottom]].forEach(function (e) {
				g.strokeStyle = colour.soft;
				g.setLineDash(data.wrap[e[0]] ? [3, 3] : []);
				g.beginPath();
				g.moveTo(e[1], e[2]);
				g.lineTo(e[3], e[4]);
				g.stroke();
			});
			if (l.label) {
				g.fillStyle = colour.soft;
				g.font = "11px system-ui,sans-serif";
				g.fillText(planeName(plane), left, top - 4);
			}
		}
		g.setLineDash([]);
	}

	function rangesEach(list, take) {
		for (var i = 0; i < list.length; i += 2)
			for (var c = list[i]; c < list[i] + list[i + 1]; c++)
				take(c);
	}

	/* Nodes that were out of service: from when to when, and which cell. */
	function outEach(view, take) {
		for (var i = 0; view.out && i < view.out.cell.length; i++)
			take(view.out.start[i], view.out.end[i], view.out.cell[i]);
	}

	function drawMap(view) {
		var l = view.layout, g = view.g, size = l.step > 4 ? l.step - 1 : l.step;
		g.clearRect(0, 0, l.all[0], l.all[1]);
		edges(g, l);
		view.owner.set(empty);
		outEach(view, function (start, end, c) {
			if (start <= now && now < end)
				view.owner[c] = DOWN;
		});
		view.running = 0;
		for (var i = 0; i < view.job.length; i++)
			if (running(view, i, now)) {
				view.running++;
				fill(view.owner, view.cells[i], i);
			}
		var other = {};
		other[FREE] = colour.free;
		other[DOWN] = colour.bad;
		other[DRAINED] = colour.drain;
		for (var c = 0; c < cells; c++) {
			var owner = view.owner[c];
			if (owner === HOLE)
				continue;
			var job = owner >= 0 ? view.job[owner] : -1;
			g.globalAlpha = hovered >= 0 && owner >= 0 && job !== hovered ? 0.25 : 1;
			g.fillStyle = owner >= 0 ? view.colours[owner] : other[owner];
			g.fillRect(view.x[c], view.y[c], size, size);
		}
		g.globalAlpha = 1;
	}

	/* Nodes in the machine's order from top to bottom, time from left to right. */
	function drawGantt(view) {
		var g = view.ganttG, w = view.ganttWidth, h = view.ganttHeight, n = data.nodes;
		var end = moments * data.step;
		g.clearRect(0, 0, w, h);
		g.fillStyle = colour.free;
		g.fillRect(0, 0, w, h);
		g.fillStyle = colour.bad;
		outEach(view, function (start, finish, c) {
			var row = Math.floor(data.rank[c] * h / n), next = Math.floor((data.rank[c] + 1) * h / n);
			g.fillRect(start / end * w, row, Math.max(0.5, (finish - start) / end * w), Math.max(1, next - row));
		});
		for (var i = 0; i < view.job.length; i++) {
			var x = view.start[i] / end * w, wide = Math.max(0.5, (view.end[i] - view.start[i]) / end * w);
			var drawn = {};
			g.fillStyle = view.colours[i];
			g.globalAlpha = hovered >= 0 && view.job[i] !== hovered ? 0.2 : 1;
			rangesEach(view.cells[i], function (c) {
				var row = Math.floor(data.rank[c] * h / n), next = Math.floor((data.rank[c] + 1) * h / n);
				if (!drawn[row]) {
					drawn[row] = true;
					g.fillRect(x, row, wide, Math.max(1, next - row));
				}
			});
		}
		g.globalAlpha = 1;
	}

	/* --- links ------------------------------------------------------------------------ */

	/* The steps of a vertex's link along d: 1295 is the fullest of all. */
	function full(view, v, d) {
		return parseInt(view.messages.substr(2 * (v * dims.length + d), 2), 36);
	}
	/* Of the links out of the plane. */
	function between(view, v) {
		var most = 0;
		for (var d = 2; d < dims.length; d++)
			most = Math.max(most, full(view, v, d));
		return most;
	}
	function bar(g, x, y, wide, high, level) {
		g.fillStyle = colour.free;
		g.globalAlpha = 1;
		g.fillRect(x, y, wide, high);
		g.fillStyle = colour.hot;
		g.globalAlpha = level / 1295;
		g.fillRect(x, y, wide, high);
	}
	function drawLinks(view) {
		var l = view.layout, g = view.linkG, wide = blockWidth * l.step, high = blockHeight * l.step;
		var thin = Math.max(1, Math.round(Math.min(wide, high) * 0.3)), size = Math.max(1, Math.min(wide, high) - 2 * thin);
		g.globalAlpha = 1;
		g.clearRect(0, 0, l.all[0], l.all[1]);
		edges(g, l);
		for (var v = 0; v < vertices; v++) {
			var at = corner(l, v * npv), x = at[0], y = at[1];
			bar(g, x + size, y, wide - size, size, full(view, v, 0));
			if (dims.length > 1)
				bar(g, x, y + size, size, high - size, full(view, v, 1));
			if (dims.length > 2)
				bar(g, x, y, size, size, between(view, v));
		}
		g.globalAlpha = 1;
	}
	function overLinks(view, event) {
		var box = view.linkCanvas.getBoundingClientRect();
		var cell = cellAt(view.layout, event.clientX - box.left, event.clientY - box.top);
		var v = Math.floor(cell / npv);
		showTip(event, cell < 0 ? "" : place(v * npv) + ", on the link to the next along " +
			dims.map(function (side, d) {
				return letters[d] + ": " + (full(view, v, d) * data.unit).toFixed(2);
			}).join(", "));
	}
	function setUpLinks(view) {
		if (!view.messages || !byId("links"))
			return;
		if (!view.linkFigure) {
			view.linkFigure = make("figure", byId("link-views"));
			view.linkFigure.className = "card links";
			make("figcaption", view.linkFigure, view.name);
			view.linkCanvas = make("canvas", view.linkFigure);
			view.linkCanvas.setAttribute("role", "img");
			view.linkCanvas.setAttribute("aria-label", "links of " + view.name);
			view.linkCanvas.addEventListener("pointermove", overLinks.bind(null, view));
			view.linkCanvas.addEventListener("pointerdown", overLinks.bind(null, view));
			view.linkCanvas.addEventListener("pointerleave", leave);
		}
		view.linkG = prepare(view.linkCanvas, view.layout.all[0], view.layout.all[1]);
		drawLinks(view);
	}

	function caption(view) {
		if (!view.waiting) {
			view.caption.textContent = "";
			return;
		}
		var m = Math.min(view.waiting.length - 1, Math.floor(now / data.step + 1e-6)), pairs = 0, hops = 0;
		for (var i = 0; i < view.job.length; i++)
			if (running(view, i, now) && data.jobs.nodes[view.job[i]] > 1) {
				pairs++;
				hops += view.hops[i];
			}
		view.caption.textContent = Math.round(100 * view.busy[m] / data.nodes) + "% busy, " +
			view.running + " run, " + view.waiting[m] + " wait" +
			(pairs ? ", " + (hops / pairs).toFixed(2) + " hops" : "");
	}

	function draw() {
		shown.forEach(function (view) {
			drawMap(view);
			caption(view);
			if (view.cursor)
				view.cursor.style.left = 100 * now / (moments * data.step) + "%";
		});
		if (slider) {
			slider.value = now / data.step;
			clock.textContent = human(now) + " of " + human((moments - 1) * data.step);
			slider.setAttribute("aria-valuetext", clock.textContent);
		}
	}

	/* --- the page ------------------------------------------------------------------ */

	var slider, clock, button, speed, tip = make("div", document.body);
	tip.className = "tip";
	tip.hidden = true;

	function showTip(event, text) {
		tip.textContent = text;
		tip.hidden = !text;
		var left = Math.min(event.clientX + 14, document.documentElement.clientWidth - tip.offsetWidth - 8);
		tip.style.left = Math.max(4, left) + "px";
		tip.style.top = (event.clientY + tip.offsetHeight + 24 > window.innerHeight
			? event.clientY - tip.offsetHeight - 10 : event.clientY + 16) + "px";
	}
	function hover(job) {
		if (job === hovered)
			return;
		hovered = job;
		draw();
	}
	function overMap(view, event) {
		var box = view.canvas.getBoundingClientRect();
		var cell = cellAt(view.layout, event.clientX - box.left, event.clientY - box.top);
		var owner = cell < 0 ? HOLE : view.owner[cell];
		hover(owner >= 0 ? view.job[owner] : -1);
		showTip(event, owner === HOLE ? "" : place(cell) + (owner >= 0 ? " " + describe(view, owner)
			: owner === DOWN ? " down" : owner === DRAINED ? " drained" : " free"));
	}
	function leave() {
		tip.hidden = true;
		hover(-1);
	}

	function setUp(view) {
		var holder = view.figure.querySelector(".still"), wide = view.figure.clientWidth - 30;
		if (!view.canvas) {
			holder.textContent = "";
			view.canvas = make("canvas", holder);
			view.canvas.setAttribute("role", "img");
			view.canvas.setAttribute("aria-label", "map of " + view.name);
			view.canvas.addEventListener("pointermove", overMap.bind(null, view));
			view.canvas.addEventListener("pointerdown", overMap.bind(null, view));
			view.canvas.addEventListener("pointerleave", leave);
			view.caption = view.figure.querySelector(".now") || make("span");
		}
		view.colours = view.job.map(jobColour);
		view.layout = layout(wide, wide < 480 ? Math.max(220, window.innerHeight * 0.36) : Math.max(300, Math.min(540, window.innerHeight * 0.62)));
		view.g = prepare(view.canvas, view.layout.all[0], view.layout.all[1]);
		place2d(view);
	}

	function setUpGantt(view) {
		if (!moments || !data.rank || !byId("gantt"))
			return;
		if (!view.gantt) {
			view.gantt = make("div", byId("gantt-rows"));
			make("h3", view.gantt, view.name);
			view.ganttBox = make("div", view.gantt);
			view.ganttBox.className = "gantt";
			view.ganttCanvas = make("canvas", view.ganttBox);
			view.cursor = make("i", view.ganttBox);
			view.ganttCanvas.addEventListener("pointerdown", function (event) {
				var box = view.ganttCanvas.getBoundingClientRect();
				go((event.clientX - box.left) / box.width * moments * data.step);
			});
		}
		view.ganttWidth = byId("gantt-rows").clientWidth;
		view.ganttHeight = Math.max(96, Math.min(data.nodes, 256));
		view.ganttG = prepare(view.ganttCanvas, view.ganttWidth, view.ganttHeight);
		drawGantt(view);
	}

	function arrange() {
		readColours();
		shown = data.views.filter(function (view) { return view.chosen; });
		data.views.forEach(function (view) {
			view.figure.hidden = !view.chosen;
			if (view.gantt)
				view.gantt.hidden = !view.chosen;
			if (view.linkFigure)
				view.linkFigure.hidden = !view.chosen;
		});
		shown.forEach(function (view) {
			setUp(view);
			setUpGantt(view);
			setUpLinks(view);
		});
		draw();
	}

	function go(t) {
		now = Math.max(0, Math.min(t, (moments - 1) * data.step));
		draw();
	}
	/* At speed 1 the whole run takes a minute, however long a picture takes. */
	function play() {
		var end = (moments - 1) * data.step, before = performance.now();
		clearInterval(playing);
		if (!playing && now >= end)
			go(0);
		playing = playing ? 0 : setInterval(function () {
			var at = performance.now();
			go(now + (at - before) / 60000 * speed.value * end);
			before = at;
			if (now >= end)
				play();
		}, 33);
		button.textContent = playing ? "Pause" : "Play";
	}
	/* Space and arrows, wherever the page does not use them itself. */
	function press(event) {
		var by = {ArrowLeft: -1, ArrowRight: 1}[event.key];
		if (event.target.closest("input,select,button,summary,a,[tabindex]") || event.ctrlKey || event.altKey ||
			event.metaKey || !(by || event.key === " "))
			return;
		event.preventDefault();
		if (by)
			go((Math.round(now / data.step) + by) * data.step);
		else
			play();
	}
	function controls() {
		var box = byId("machine-controls");
		if (!box || !moments)
			return;
		box.hidden = false;
		button = make("button", box, "Play");
		button.type = "button";
		button.addEventListener("click", play);
		speed = make("select", box);
		speed.setAttribute("aria-label", "speed");
		[0.25, 0.5, 1, 2, 4].forEach(function (times) {
			var option = make("option", speed, times + "×");
			option.value = times;
			option.selected = times === 1;
		});
		document.addEventListener("keydown", press);
		slider = make("input", box);
		slider.type = "range";
		slider.min = 0;
		slider.max = moments - 1;
		slider.step = "any";
		slider.setAttribute("aria-label", "time");
		slider.addEventListener("input", function () { go(slider.value * data.step); });
		clock = make("output", box);
		if (data.views.length < 3)
			return;
		var chips = make("span", box);
		chips.className = "chips";
		data.views.forEach(function (view) {
			var label = make("label", chips), check = make("input", label);
			check.type = "checkbox";
			check.checked = view.chosen;
			label.appendChild(document.createTextNode(view.name));
			check.addEventListener("change", function () {
				view.chosen = check.checked;
				arrange();
			});
		});
	}

	data.views = data.views.filter(function (view) {
		view.figure = Array.prototype.find.call(document.querySelectorAll("[data-view]"),
			function (figure) { return figure.getAttribute("data-view") === view.name; });
		return view.figure;
	});
	data.views.forEach(function (view, i) { view.chosen = i < 2; });
	if (byId("gantt") && moments && data.rank)
		byId("gantt").hidden = false;
	if (byId("links"))
		byId("links").hidden = false;
	controls();
	arrange();
	var later;
	var width = document.body.clientWidth;
	new ResizeObserver(function () {
		if (document.body.clientWidth === width)
			return;
		width = document.body.clientWidth;
		clearTimeout(later);
		later = setTimeout(arrange, 60);
	}).observe(document.body);
	window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", arrange);
	document.documentElement.setAttribute("data-machine", "ready");
})();
