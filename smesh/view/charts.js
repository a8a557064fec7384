/* SPDX-License-Identifier: GPL-2.0-or-later
 *
 * Charts by job size and over time, each with its data and picture to take away.
 */
var WIDTH = 560, HEIGHT = 290, LEFT = 76, RIGHT = 16, TOP = 12, BOTTOM = 52, COLUMNS = 5;

function shape(name, parent, attributes, text) {
	var e = document.createElementNS("http://www.w3.org/2000/svg", name);
	Object.keys(attributes).forEach(function (key) { e.setAttribute(key, attributes[key]); });
	if (text !== undefined)
		e.textContent = text;
	return parent.appendChild(e);
}
function seriesColour(i) {
	return "hsl(" + (210 + i * 137) % 360 + " var(--sat) var(--ll))";
}
function short(value) {
	return String(+value.toPrecision(4));
}
/* 1, 2 or 5 times a power of ten: about so many ticks in the span. */
function niceStep(span, ticks) {
	var power = Math.pow(10, Math.floor(Math.log10(span / ticks))), part = span / ticks / power;
	return power * (part <= 1 ? 1 : part <= 2 ? 2 : part <= 5 ? 5 : 10);
}

/* --- one chart ------------------------------------------------------------------------ */

function flat(series, key) {
	return [].concat.apply([], series.map(function (s) { return s[key] || []; }));
}
/* Where values go in the picture: columns are half a group wide on either side. */
function axes(spec) {
	function scale(y) { return spec.log ? Math.log10(y) : y; }
	var xs = flat(spec.series, "x"), ys = flat(spec.series, "y").concat(flat(spec.series, "high")).map(scale);
	var half = spec.columns ? 0.5 : 0, left = Math.min.apply(null, xs) - half;
	var right = Math.max(spec.right || Math.max.apply(null, xs) + half, left + 0.01);
	var low = Math.min(0, Math.min.apply(null, ys)), high = spec.max || Math.max.apply(null, ys) || 1;
	var step = spec.log ? 1 : niceStep(high - low, 4);
	low = Math.floor(low / step + 1e-9) * step;
	high = Math.ceil(high / step - 1e-9) * step;
	return {
		left: left, right: right, low: low, high: high, step: step,
		x: function (x) { return LEFT + (x - left) / (right - left) * (WIDTH - LEFT - RIGHT); },
		y: function (y) { return HEIGHT - BOTTOM - (scale(y) - low) / (high - low) * (HEIGHT - TOP - BOTTOM); }
	};
}
function drawAxes(svg, spec, a) {
	var step = spec.size || spec.powers ? 1 : niceStep(a.right - a.left, 6);
	for (var tick = a.low; tick <= a.high + a.step / 2; tick += a.step) {
		var zero = Math.abs(tick) < a.step / 2, value = spec.log ? Math.pow(10, tick) : zero ? 0 : tick, y = a.y(value);
		shape("line", svg, {class: zero ? "zero" : "grid", x1: LEFT, x2: WIDTH - RIGHT, y1: y, y2: y});
		shape("text", svg, {x: LEFT - 6, y: y + 4, "text-anchor": "end"}, short(value) + (spec.unit || ""));
	}
	for (var x = Math.ceil(a.left / step) * step; x <= a.right; x += step)
		shape("text", svg, {x: a.x(x), y: HEIGHT - BOTTOM + 19, "text-anchor": "middle"},
			spec.powers ? short(Math.pow(10, x)) : !spec.size ? short(x) : x < 10 ? 1 << x : (1 << x - 10) + "k");
	shape("text", svg, {x: (WIDTH + LEFT) / 2, y: HEIGHT - 6, "text-anchor": "middle"}, spec.x);
	shape("text", svg, {transform: "translate(16 " + (TOP + HEIGHT - BOTTOM) / 2 + ") rotate(-90)",
		"text-anchor": "middle"}, spec.y);
}
function drawLine(svg, a, s) {
	var line = shape("polyline", svg, {class: "series", style: "stroke:" + s.colour, points: s.x.map(function (x, i) {
		return a.x(x).toFixed(1) + "," + a.y(s.y[i]).toFixed(1);
	}).join(" ")});
	shape("title", line, {}, s.name);
}
/* From 0, or from quartile to quartile with a line at the median; the k-th of its group. */
function drawColumns(svg, a, s, k, of) {
	var wide = 0.8 * (a.x(1) - a.x(0)) / of;
	s.x.forEach(function (x, i) {
		var top = a.y(s.high ? s.high[i] : Math.max(0, s.y[i])), bottom = a.y(s.low ? s.low[i] : Math.min(0, s.y[i]));
		var at = a.x(x) - wide * of / 2 + wide * k, thick = Math.max(wide - 1, 1);
		var column = shape("rect", svg, {x: at, width: thick, y: top, height: Math.max(bottom - top, 0.5), rx: 1,
			style: "fill:" + s.colour});
		shape("title", column, {}, s.name + ": " + short(s.y[i]));
		if (s.high)
			shape("rect", svg, {class: "median", x: at, width: thick, y: a.y(s.y[i]) - 1, height: 2});
	});
}
/* Below the chart, so that a picture taken away has them; tells how high that makes it. */
function drawKeys(svg, spec) {
	spec.series.forEach(function (s, i) {
		var x = LEFT + i % 3 * 160, y = HEIGHT + 6 + Math.floor(i / 3) * 22;
		shape("rect", svg, {x: x, y: y, width: 12, height: 12, rx: 2, style: "fill:" + s.colour});
		shape("text", svg, {x: x + 18, y: y + 12}, s.name);
	});
	return HEIGHT + 2 + Math.ceil(spec.series.length / 3) * 22;
}
/* RFC 4180. */
function csv(spec) {
	var box = spec.series[0].high, lines = [["strategy", spec.x].concat(box ? ["low", "median", "high"] : [spec.y])
		.map(function (title) { return '"' + title + '"'; }).join()];
	spec.series.forEach(function (s) {
		s.x.forEach(function (x, i) {
			lines.push([s.name, spec.size ? 1 << x : spec.powers ? Math.pow(10, x) : x].concat(box ? [s.low[i], s.y[i], s.high[i]] : [s.y[i]]).join());
		});
	});
	return lines.join("\n") + "\n";
}
/* The picture alone needs the page's colours. */
function standalone(svg) {
	var copy = svg.cloneNode(true);
	shape("style", copy, {}, document.querySelector("style").textContent);
	return new XMLSerializer().serializeToString(copy);
}
function save(card, spec, kind, type, content) {
	var button = make("button", card, kind);
	button.setAttribute("aria-label", spec.title + " as " + kind);
	button.addEventListener("click", function () {
		var link = document.createElement("a");
		link.href = URL.createObjectURL(new Blob([content()], {type: type}));
		link.download = spec.title.replace(/[^A-Za-z0-9]+/g, "-").toLowerCase() + "." + kind.toLowerCase();
		link.click();
	});
}
function drawChart(cards, spec) {
	var card = make("div", cards), a = axes(spec), take;
	card.className = "card";
	make("h3", card, spec.title);
	var svg = shape("svg", card, {class: "chart", role: "img", "aria-label": spec.title});
	drawAxes(svg, spec, a);
	spec.series.forEach(function (s, k) {
		if (spec.columns)
			drawColumns(svg, a, s, k, spec.series.length);
		else
			drawLine(svg, a, s);
	});
	svg.setAttribute("viewBox", "0 0 " + WIDTH + " " + drawKeys(svg, spec));
	take = make("div", card);
	take.className = "keys";
	save(take, spec, "CSV", "text/csv", function () { return csv(spec); });
	save(take, spec, "SVG", "image/svg+xml", function () { return standalone(svg); });
}

/* --- all of them ------------------------------------------------------------------------ */

/* Of each strategy values by size: value(series, i) of its i-th size. */
function bySize(all, value, from) {
	return all.map(function (s) {
		var at = s.size.map(function (size, i) { return i; }).filter(function (i) { return s.size[i] >= (from || 1); });
		return {name: s.name, colour: s.colour, x: at.map(function (i) { return Math.log2(s.size[i]); }),
			y: at.map(function (i) { return value(s, i); })};
	}).filter(function (s) { return s.x.length; });
}
/* value(q) is of a quartile what bySize() asks for. */
function quartiles(all, value, from) {
	function quartile(q) { return bySize(all, value(q), from); }
	var low = quartile(0), high = quartile(2);
	return quartile(1).map(function (s, k) {
		return Object.assign(s, {low: low[k].y, high: high[k].y});
	});
}
/* The unit of the charts over time, as that of the slider. */
var timeUnit = moments * data.step >= 172800 ? [86400, "days"] : [3600, "hours"];
/* Of each strategy one list of values, or the k-th of several. */
function overTime(all, key, factor, k) {
	function values(s) { return k === undefined ? s[key] : s[key] && s[key][k]; }
	return all.filter(function (s) { return values(s) && values(s).length; }).map(function (s) {
		return {name: s.name, colour: s.colour, x: values(s).map(function (y, i) { return i * data.step / timeUnit[0]; }),
			y: values(s).map(function (y) { return y * factor; })};
	});
}
/* Of each strategy the percent of jobs that have at most a value, from one that is above 0. */
function shares(all, key, factor) {
	return all.map(function (s) {
		var at = s[key].map(function (value, i) { return i; }).filter(function (i) { return s[key][i] * factor >= 0.01; });
		return {name: s.name, colour: s.colour, x: at.map(function (i) { return Math.log10(s[key][i] * factor); }), y: at};
	}).filter(function (s) { return s.x.length; });
}
function allAlike(series) {
	return series.length > 1 && series.every(function (s) {
		return s.y.join() === series[0].y.join() && s.x.join() === series[0].x.join();
	});
}
function drawCharts(box) {
	var best = data.series.slice(), against, cards = make("div", box), same = [];
	if (data.against === best[0].name)
		best.splice(0, 2, best[1], best[0]); /* maps have the one compared with first */
	best.forEach(function (s, i) { s.colour = seriesColour(i); });
	against = best.find(function (s) { return s.name === data.against; });
	function saved(key) {
		return function (s, i) {
			var base = against[key][against.size.indexOf(s.size[i])];
			return base > 0 ? 100 * (1 - s[key][i] / base) : 0;
		};
	}
	var few = best.slice(0, COLUMNS), busy = overTime(few, "busy", 100 / data.nodes);
	var others = few.filter(function (s) { return s !== against; });
	var charts = [
		{title: "Mean hops by job size", y: "mean hops", size: true,
			series: bySize(best, function (s, i) { return s.hops[i]; }, 2)},
		{title: "Mean wait by job size", y: "hours", unit: " h", size: true,
			series: bySize(best, function (s, i) { return s.wait[i] / 3600; })},
		{title: "Slowdown by job size: quartiles and median", y: "turnaround over run time", size: true, columns: true, log: true,
			series: quartiles(few, function (q) {
				return function (s, i) { return s.slowdown[i][q]; };
			})},
		{title: "Slowdown of jobs", x: "turnaround over run time, at most", y: "percent of the jobs", unit: "%", max: 100,
			powers: true, series: shares(few, "slowdowns", 1)},
		{title: "Wait of jobs", x: "hours, at most", y: "percent of the jobs", unit: "%", max: 100, powers: true,
			series: shares(few, "waits", 1 / 3600)},
		{title: "Jobs that wait, over time", y: "jobs", series: overTime(best, "waiting", 1)},
		{title: "Largest free box over time", y: "percent of the vertices", unit: "%", max: 100,
			series: overTime(best, "box", 100 / vertices)}
	];
	(allAlike(busy) ? [busy] : busy.map(function (s) { return [s]; })).forEach(function (series) {
		charts.push({title: "Utilisation over time" + (series === busy ? "" : ", " + series[0].name),
			y: "percent of the nodes", unit: "%", max: 100, series: series});
	});
	(best[0].kinds || []).forEach(function (kind, k) {
		charts.push({title: "Free boxes of " + kind + " over time", y: "boxes side by side",
			series: overTime(best, "boxes", 1, k)});
		charts.push({title: "Places of " + kind + " lost when a node fails", y: "percent of the places, mean", unit: "%",
			series: overTime(best, "loss", 100, k)});
	});
	if (data.share)
		charts.unshift({title: "Run times by job size: quartiles and median", y: "percent longer for contention",
			unit: "%", size: true, columns: true, series: quartiles(few, function (q) {
				return function (s, i) { return 100 * (s.variation[i][q] - 1); };
			}, 2)});
	if (against && data.share)
		charts.unshift({title: "Run time saved against " + data.against + ", by job size", y: "percent of the run time",
			unit: "%", size: true, columns: true, series: bySize(others, saved("stretch"), 2)});
	if (against)
		charts.unshift({title: "Hops saved against " + data.against + ", by job size", y: "percent of hops",
			unit: "%", size: true, columns: true, series: bySize(others, saved("hops"), 2)});
	cards.className = "cards";
	charts.forEach(function (spec) {
		if (!spec.x && !spec.size)
			spec.right = (moments - 1) * data.step / timeUnit[0]; /* the same in all */
		spec.x = spec.x || (spec.size ? "nodes of the job, up to" : timeUnit[1]);
		if (allAlike(spec.series))
			same.push(spec.title);
		else if (spec.series.length)
			drawChart(cards, spec);
	});
	if (same.length)
		make("p", box, "The same for all: " + same.join(", ") + ".").className = "note";
	box.hidden = false;
}
if (byId("charts"))
	drawCharts(byId("charts"));
