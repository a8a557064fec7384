/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * The machine over time: maps side by side, a slider, who has which nodes. No library, no network.
 */
var data = JSON.parse(document.getElementById("machine-data").textContent);
var dims = data.dims, npv = data.npv, plan = data.layout;
var vertices = dims.reduce(function (a, b) { return a * b; }, 1), cells = vertices * npv;
var FREE = -1, HOLE = -2, DOWN = -3, HUES = 10;
var letters = "xyzuvw", jobLetters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
var now = data.at || 0, hovered = -1, playing = 0, shown = [], moments = 0, series = {};

function byId(id) { return document.getElementById(id); }
function make(name, parent, text) {
	var e = document.createElement(name);
	if (text !== undefined)
		e.textContent = text;
	if (name === "button")
		e.type = "button";
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
function rangesEach(list, take) {
	for (var i = 0; i < list.length; i += 2)
		for (var c = list[i], end = c + list[i + 1]; c < end; c++)
			take(c);
}
var empty = new Int32Array(cells).fill(FREE);
fill(empty, ranges(data.holes), HOLE);
fill(empty, ranges(data.down), DOWN);
(data.series || []).forEach(function (s) {
	series[s.name] = s;
	moments = Math.max(moments, s.busy.length);
});
data.views.forEach(function (view) {
	view.cells = view.cells.map(ranges);
	view.owner = new Int32Array(cells);
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
function place(cell) {
	var v = Math.floor(cell / npv), text = [];
	dims.forEach(function (side) {
		text.push(v % side);
		v = Math.floor(v / side);
	});
	return (data.names ? data.names[cell] + " " : "") + "(" + text.join(",") + ")";
}
function describe(view, i) {
	var job = view.job[i], n = data.jobs.nodes[job], user = data.jobs.user[job];
	var text = "job " + data.jobs.id[job] + (user === "-" ? "" : " of " + user) + ": " + n + (n === 1 ? " node" : " nodes");
	if (n > 1)
		text += ", " + view.hops[i].toFixed(2) + " hops between two";
	return text + ", waited " + human(view.start[i] - data.jobs.submit[job]) + ", runs " +
		human(view.end[i] - view.start[i]) + ", ends in " + human(view.end[i] - now);
}

/* --- where cells are: the layout of layout.c, at the size there is --------------------- */

var blockHeight = Math.ceil(npv / plan.block), inside = vertices / plan.planes, rows = Math.ceil(inside / plan.fold);
var across = (plan.turned ? rows : plan.fold) * plan.block, down = (plan.turned ? plan.fold : rows) * blockHeight;
var planeRows = Math.ceil(plan.planes / plan.perRow), MARGIN = 2, GAP_X = 10, GAP_Y = 8;
var grid = {}; /* step, letters of a name, pitchX, pitchY, label, width, height; x[], y[] of each cell */

/* The cell's plane, and its place there in cells. */
function spot(cell) {
	var v = Math.floor(cell / npv), slot = cell % npv, along = v % inside % plan.fold;
	var below = Math.floor(v % inside / plan.fold);
	return {
		plane: Math.floor(v / inside),
		x: (plan.turned ? below : along) * plan.block + slot % plan.block,
		y: (plan.turned ? along : below) * blockHeight + Math.floor(slot / plan.block)
	};
}
/* "z=1 u=0", or "1,0" where that is too long. */
function planeName(plane, short) {
	var text = [];
	for (var d = 2; d < dims.length; d++) {
		text.push((short ? "" : letters[d] + "=") + plane % dims[d]);
		plane = Math.floor(plane / dims[d]);
	}
	return text.join(short ? "," : " ");
}
function fitGrid(width, height) {
	var ratio = window.devicePixelRatio || 1, many = dims.length > 2;
	var room = (width - 2 * MARGIN + GAP_X) / plan.perRow - GAP_X;
	grid.label = many ? 15 : 0;
	grid.short = 7 * planeName(plan.planes - 1).length > room;
	var tall = (height / planeRows - grid.label - (many ? GAP_Y : 0)) / down;
	var step = Math.max(Math.min(40, room / across, Math.max(tall, 6)), 1);
	grid.step = Math.floor(step * ratio) / ratio;
	grid.pitchX = Math.max(across * grid.step, 7 * planeName(plan.planes - 1, grid.short).length) + GAP_X;
	grid.pitchY = down * grid.step + grid.label + (many ? GAP_Y : 0);
	grid.width = plan.perRow * grid.pitchX - GAP_X + 2 * MARGIN;
	grid.height = planeRows * grid.pitchY + 2 * MARGIN;
	grid.x = new Float32Array(cells);
	grid.y = new Float32Array(cells);
	for (var c = 0; c < cells; c++) {
		var at = spot(c);
		grid.x[c] = MARGIN + at.plane % plan.perRow * grid.pitchX + at.x * grid.step;
		grid.y[c] = MARGIN + Math.floor(at.plane / plan.perRow) * grid.pitchY + grid.label + at.y * grid.step;
	}
}
function cellAt(canvas, event) {
	var box = canvas.getBoundingClientRect(), x = event.clientX - box.left, y = event.clientY - box.top;
	for (var c = 0; c < cells; c++)
		if (x >= grid.x[c] && x < grid.x[c] + grid.step && y >= grid.y[c] && y < grid.y[c] + grid.step)
			return c;
	return -1;
}

/* --- colours: the page's, so that light and dark are decided in one place ----------- */

var colour = {};
function readColours() {
	var style = getComputedStyle(document.documentElement);
	["free", "bad", "soft", "sat", "lum", "hot", "ink"].forEach(function (name) {
		colour[name] = style.getPropertyValue("--" + name).trim();
	});
}
/* By job, those that are ever beside it on a plane of a map that is shown. */
function findBeside() {
	var beside = data.jobs.id.map(function () { return {}; });
	var at = new Int32Array(plan.planes * across * down).fill(-1), index = new Int32Array(cells);
	for (var c = 0; c < cells; c++) {
		var s = spot(c);
		index[c] = (s.plane * down + s.y) * across + s.x;
		at[index[c]] = c;
	}
	shown.forEach(function (view) {
		var owner = new Int32Array(cells).fill(-1);
		view.job.forEach(function (job, i) {
			function meet(cell) {
				var other = cell < 0 ? -1 : owner[cell];
				if (other >= 0 && other !== i && view.end[other] > view.start[i])
					beside[job][view.job[other]] = beside[view.job[other]][job] = true;
			}
			fill(owner, view.cells[i], i);
			rangesEach(view.cells[i], function (cell) {
				var k = index[cell], x = k % across, y = (k - x) / across % down;
				meet(x > 0 ? at[k - 1] : -1);
				meet(x < across - 1 ? at[k + 1] : -1);
				meet(y > 0 ? at[k - across] : -1);
				meet(y < down - 1 ? at[k + across] : -1);
			});
		});
	});
	return beside;
}
/* 30 degrees apart from those beside it, as far as ten hues go; red is for nodes that are down. */
function chooseHues() {
	var beside = findBeside(), hue = beside.map(function (others, job) { return job * 3 % HUES; });
	function choose(others, job) {
		var taken = new Array(HUES).fill(0), from = hue[job];
		Object.keys(others).forEach(function (other) { taken[hue[other]]++; });
		for (var i = 3; i < 3 * HUES; i += 3)
			if (taken[(from + i) % HUES] < taken[hue[job]])
				hue[job] = (from + i) % HUES;
	}
	for (var again = 0; again < 5; again++)
		beside.forEach(choose);
	hues = hue.map(function (h) { return 20 + h * 32; });
}
var hues;

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
/* Dashed where a dimension wraps: upper and lower edges are of the one that goes down. */
function edges(g) {
	var right = plan.turned ? 1 : 0, wide = across * grid.step + 1, high = down * grid.step + 1;
	g.lineWidth = 1;
	g.strokeStyle = g.fillStyle = colour.soft;
	g.font = "11px system-ui,sans-serif";
	g.textAlign = "left";
	g.textBaseline = "alphabetic";
	for (var plane = 0; plane < plan.planes; plane++) {
		var x = MARGIN - 0.5 + plane % plan.perRow * grid.pitchX;
		var y = MARGIN - 0.5 + Math.floor(plane / plan.perRow) * grid.pitchY + grid.label;
		[[right, x, y, 0, high], [right, x + wide, y, 0, high], [1 - right, x, y, wide, 0],
			[1 - right, x, y + high, wide, 0]].forEach(function (e) {
			g.setLineDash(data.wrap[e[0]] ? [3, 3] : []);
			g.beginPath();
			g.moveTo(e[1], e[2]);
			g.lineTo(e[1] + e[3], e[2] + e[4]);
			g.stroke();
		});
		if (grid.label)
			g.fillText(planeName(plane, grid.short), x, y - 4);
	}
	g.setLineDash([]);
}
/* Between vertices of several nodes, in the gaps that cells have. */
function borders(g) {
	var wide = plan.block * grid.step, high = blockHeight * grid.step;
	g.strokeStyle = colour.soft;
	g.beginPath();
	for (var v = 0; v < vertices; v++) {
		var at = spot(v * npv), x = grid.x[v * npv] - 0.5, y = grid.y[v * npv] - 0.5;
		if (at.x) {
			g.moveTo(x, y);
			g.lineTo(x, y + high);
		}
		if (at.y) {
			g.moveTo(x, y);
			g.lineTo(x + wide, y);
		}
	}
	g.stroke();
}
/* Broken links: to the next vertex along d, outwards where that goes round, aslant out of the plane. */
function broken(g) {
	g.strokeStyle = colour.bad;
	g.lineWidth = 2;
	g.setLineDash([3, 2]);
	for (var i = 0; i < data.broken.length; i += 2) {
		var v = data.broken[i], d = data.broken[i + 1], stride = d ? dims[0] : 1;
		var last = Math.floor(v / stride) % dims[d] === dims[d] - 1, far = last ? -0.5 : 1;
		var a = v * npv, b = d > 1 ? a : (last ? v - stride : v + stride) * npv;
		var w = plan.block * grid.step / 2, h = blockHeight * grid.step / 2;
		g.beginPath();
		g.moveTo(grid.x[a] + w, grid.y[a] + h);
		g.lineTo(grid.x[a] + w + (d > 1 ? w : (grid.x[b] - grid.x[a]) * far),
			grid.y[a] + h + (d > 1 ? -h : (grid.y[b] - grid.y[a]) * far));
		g.stroke();
	}
	g.setLineDash([]);
	g.lineWidth = 1;
}
/* Who has which cell now. */
function takeCells(view) {
	view.owner.set(empty);
	view.running = 0;
	view.job.forEach(function (job, i) {
		if (running(view, i, now)) {
			view.running++;
			fill(view.owner, view.cells[i], i);
		}
	});
}
function drawMap(view) {
	var g = view.g, size = grid.step > 4 ? grid.step - 1 : grid.step;
	var other = {[FREE]: colour.free, [DOWN]: colour.bad};
	var lettered = grid.step >= 11 && cells <= 4096;
	g.clearRect(0, 0, grid.width, grid.height);
	edges(g);
	takeCells(view);
	g.font = "9px ui-monospace,monospace";
	g.textAlign = "center";
	g.textBaseline = "middle";
	for (var c = 0, last = HOLE; c < cells; c++) {
		var owner = view.owner[c], job = owner >= 0 ? view.job[owner] : -1;
		if (owner === HOLE)
			continue;
		if (owner !== last || lettered) {
			g.globalAlpha = hovered >= 0 && job >= 0 && job !== hovered ? 0.25 : 1;
			g.fillStyle = job >= 0 ? view.colours[owner] : other[owner];
			last = owner;
		}
		g.fillRect(grid.x[c], grid.y[c], size, size);
		if (owner !== FREE && lettered) {
			g.fillStyle = colour.ink;
			g.fillText(job >= 0 ? jobLetters[job % jobLetters.length] : "#", grid.x[c] + size / 2, grid.y[c] + size / 2 + 0.5);
		}
	}
	g.globalAlpha = 1;
	if (npv > 1 && grid.step > 4)
		borders(g);
	broken(g);
}

/* Nodes in the machine's order from top to bottom, time from left to right. */
function drawGantt(view) {
	var g = view.ganttG, w = view.ganttWidth, h = view.ganttHeight, end = moments * data.step;
	function bar(cell, start, finish, drawn) {
		var row = Math.floor(data.rank[cell] * h / data.nodes), next = Math.floor((data.rank[cell] + 1) * h / data.nodes);
		if (!drawn[row])
			g.fillRect(start / end * w, row, Math.max(0.5, (finish - start) / end * w), Math.max(1, next - row));
		drawn[row] = true;
	}
	g.globalAlpha = 1;
	g.fillStyle = colour.free;
	g.fillRect(0, 0, w, h);
	view.job.forEach(function (job, i) {
		var drawn = {};
		g.fillStyle = view.colours[i];
		rangesEach(view.cells[i], function (cell) { bar(cell, view.start[i], view.end[i], drawn); });
	});
}

/* --- links ------------------------------------------------------------------------ */

/* The steps of a vertex's link along d: 1295 is the fullest of all. */
function full(view, v, d) {
	return parseInt(view.messages.substr(2 * (v * dims.length + d), 2), 36);
}
function drawLinks(view) {
	var g = view.linkG, right = plan.turned ? 1 : 0, wide = plan.block * grid.step, high = blockHeight * grid.step;
	var thin = Math.max(1, Math.round(Math.min(wide, high) * 0.3)), size = Math.max(1, Math.min(wide, high) - 2 * thin);
	function bar(x, y, w, h, level) {
		g.globalAlpha = 1;
		g.fillStyle = colour.free;
		g.fillRect(x, y, w, h);
		g.globalAlpha = level / 1295;
		g.fillStyle = colour.hot;
		g.fillRect(x, y, w, h);
	}
	g.globalAlpha = 1;
	g.clearRect(0, 0, grid.width, grid.height);
	edges(g);
	for (var v = 0; v < vertices; v++) {
		var x = grid.x[v * npv], y = grid.y[v * npv], between = 0;
		for (var d = 2; d < dims.length; d++)
			between = Math.max(between, full(view, v, d));
		if (dims.length > 1)
			bar(x, y + size, size, high - size, full(view, v, 1 - right));
		bar(x + size, y, wide - size, size, full(view, v, dims.length > 1 ? right : 0));
		if (dims.length > 2)
			bar(x, y, size, size, between);
	}
}
function overLinks(view, event) {
	var v = Math.floor(cellAt(view.linkCanvas, event) / npv);
	showTip(event, v < 0 ? "" : place(v * npv) + ", on the link to the next along " +
		dims.map(function (side, d) {
			return letters[d] + ": " + (full(view, v, d) * data.unit).toFixed(2);
		}).join(", "));
}

/* --- words and the moment ---------------------------------------------------------- */

function caption(view) {
	var s = series[view.name], m, pairs = 0, hops = 0;
	if (!s)
		return;
	m = Math.min(s.busy.length - 1, Math.floor(now / data.step + 1e-6));
	view.job.forEach(function (job, i) {
		if (running(view, i, now) && data.jobs.nodes[job] > 1) {
			pairs++;
			hops += view.hops[i];
		}
	});
	view.caption.textContent = Math.round(100 * s.busy[m] / data.nodes) + "% busy, " + view.running + " run, " +
		s.waiting[m] + " wait" + (pairs ? ", " + (hops / pairs).toFixed(2) + " hops" : "");
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
	if (job !== hovered) {
		hovered = job;
		draw();
	}
}
function overMap(view, event) {
	var cell = cellAt(view.canvas, event), owner = cell < 0 ? HOLE : view.owner[cell];
	hover(owner >= 0 ? view.job[owner] : -1);
	showTip(event, owner === HOLE ? "" : place(cell) + (owner >= 0 ? " " + describe(view, owner)
		: owner === DOWN ? " down" : " free"));
}
function leave() {
	tip.hidden = true;
	hover(-1);
}
function makeCanvas(figure, label, over) {
	var holder = figure.querySelector(".drawing"), canvas = make("canvas");
	holder.replaceChildren(canvas);
	canvas.setAttribute("role", "img");
	canvas.setAttribute("aria-label", label);
	canvas.addEventListener("pointermove", over);
	canvas.addEventListener("pointerdown", over);
	canvas.addEventListener("pointerleave", leave);
	return canvas;
}

function setUpMap(view) {
	if (!view.canvas) {
		view.canvas = makeCanvas(view.figure, "map of " + view.name, overMap.bind(null, view));
		view.caption = view.figure.querySelector(".now");
	}
	view.colours = view.job.map(function (job) {
		return "hsl(" + hues[job] + " " + colour.sat + " " + colour.lum + ")";
	});
	view.g = prepare(view.canvas, grid.width, grid.height);
}
function setUpGantt(view) {
	var box = byId("gantt");
	if (!box || !data.rank)
		return;
	box.hidden = false;
	if (!view.gantt) {
		view.gantt = make("div", box);
		make("h3", view.gantt, view.name);
		view.ganttBox = make("div", view.gantt);
		view.ganttBox.className = "gantt";
		view.ganttCanvas = make("canvas", view.ganttBox);
		view.cursor = make("i", view.ganttBox);
		make("p", view.gantt, "0 to " + human(moments * data.step)).className = "note";
		view.ganttCanvas.addEventListener("pointerdown", function (event) {
			var box = view.ganttCanvas.getBoundingClientRect();
			go((event.clientX - box.left) / box.width * moments * data.step);
		});
	}
	view.gantt.hidden = false;
	view.ganttWidth = box.clientWidth;
	view.ganttHeight = Math.max(96, Math.min(data.nodes, 256));
	view.ganttG = prepare(view.ganttCanvas, view.ganttWidth, view.ganttHeight);
	drawGantt(view);
}
function setUpLinks(view) {
	if (!view.messages)
		return;
	if (!view.linkCanvas)
		view.linkCanvas = makeCanvas(view.linkFigure, "links of " + view.name, overLinks.bind(null, view));
	view.linkG = prepare(view.linkCanvas, grid.width, grid.height);
	drawLinks(view);
}
/* Those that are chosen. */
function show() {
	shown = data.views.filter(function (view) { return view.chosen; });
	data.views.forEach(function (view) {
		[view.figure, view.linkFigure, view.gantt].forEach(function (part) {
			if (part)
				part.hidden = !view.chosen;
		});
	});
	chooseHues();
	arrange();
}
function arrange() {
	var width, high = window.innerHeight;
	if (!shown.length)
		return;
	readColours();
	width = shown[0].figure.clientWidth - (shown[0].figure.classList.contains("card") ? 30 : 0);
	/* On a phone two maps fit into the height there is. */
	fitGrid(width, width < 480 ? Math.max(220, high * 0.34) : Math.max(300, Math.min(540, high * 0.62)));
	shown.forEach(function (view) {
		setUpMap(view);
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
/* Space and arrows everywhere, but for what the browser does with them itself. */
function press(event) {
	var by = {ArrowLeft: -1, ArrowRight: 1}[event.key], slides = event.target === slider;
	if (event.ctrlKey || event.altKey || event.metaKey || !(by || event.key === " ") ||
		(!slides && event.target.closest(by ? "input,select,[tabindex]" : "input,select,button,summary,a")))
		return;
	event.preventDefault();
	if (by)
		go((Math.round(now / data.step) + by) * data.step);
	else
		play();
}
function makeChips(box) {
	var chips = make("span", box);
	chips.className = "chips";
	data.views.forEach(function (view) {
		var label = make("label", chips), check = make("input", label);
		check.type = "checkbox";
		check.checked = view.chosen;
		label.append(view.name);
		check.addEventListener("change", function () {
			view.chosen = check.checked;
			show();
		});
	});
}
function controls(box) {
	box.hidden = false;
	button = box.querySelector("button");
	speed = box.querySelector("select");
	slider = box.querySelector("input");
	clock = box.querySelector("output");
	slider.max = moments - 1;
	button.addEventListener("click", play);
	slider.addEventListener("input", function () { go(slider.value * data.step); });
	document.addEventListener("keydown", press);
	if (data.views.length > 2)
		makeChips(box);
}
function begin() {
	var width = document.body.clientWidth;
	data.views.forEach(function (view, i) {
		view.figure = document.querySelector("[data-view='" + view.name + "']");
		view.linkFigure = document.querySelector("[data-links='" + view.name + "']");
		view.chosen = i < 2;
	});
	if (byId("link-most"))
		byId("link-most").textContent = (data.unit * 1295).toFixed(3) + " messages";
	if (moments && byId("machine-controls"))
		controls(byId("machine-controls"));
	show();
	window.addEventListener("resize", function () {
		if (document.body.clientWidth !== width)
			arrange();
		width = document.body.clientWidth;
	});
	window.matchMedia("(prefers-color-scheme: dark)").addEventListener("change", arrange);
	document.documentElement.setAttribute("data-machine", "ready");
}
begin();
