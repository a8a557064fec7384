#!/bin/bash
# SPDX-License-Identifier: GPL-2.0-or-later
# contrib/python: what it reads from JSON is what CSV and files of jobs say.
. "$srcdir/tests/tap.sh"

python=/usr/bin/python3
if ! $python -c 'import pandas, matplotlib' 2>/dev/null; then
	for name in "the guide's lines" "a report is a table" "a sweep is a table" "a sweep in a folder" "what is whole" "figures of one's own log" "digit by digit" "jobs are a table" "what fails says why" "the example runs" "a page agrees with itself" "pip installs it" "its version is smesh's" "figures are drawn" "and finds its logs" "and are not empty"; do
		skip "$name" "no pandas or matplotlib for $python"
	done
	done_testing
fi
dir=$(mktemp -d)
trap 'rm -rf "$dir"' EXIT
echo 'MeshName=m Dims=8x8 Nodes=n[0-63]' >"$dir/conf"
export PYTHONPATH=$srcdir/contrib/python PYTHONDONTWRITEBYTECODE=1 MPLCONFIGDIR=$dir
cat >"$dir/same.py" <<'PY'
import io, json, math, os, subprocess, sys
import pandas, smesh

def same(frame, text):
    """Every figure of a table, against CSV's: but for the times of decisions."""
    other = pandas.read_csv(io.StringIO(text))
    names = [n for n in frame.columns if not n.startswith("decision")]
    assert len(names) > 20 and set(names) <= set(other.columns), set(names) - set(other.columns)
    pandas.testing.assert_frame_equal(frame[names], other[names], check_dtype=False, rtol=1e-11)

conf, what = sys.argv[1:]
options = dict(generate="lublin", jobs=120, load=0.8, repeat=2)
if what == "report":
    frame = smesh.table(smesh.sim(conf, ["linear", "mm"], **options))
    assert frame["largest_free_box"].dtype == frame["mean_stretch"].dtype == float  # not measured: NaN
    same(smesh.table(smesh.sim(conf, ["linear", "mm"], **options)),
         smesh.run(smesh.command("sim", {"topology": conf, "strategy": "linear,mm", **options, "csv": True})))
elif what == "sweep":
    frame = smesh.sweep(conf, "linear,mm", {"load": [0.5, 0.7], "scheduler": ["fcfs", "easy"]}, **options)
    assert len(frame) == 8
    for load in 0.5, 0.7:
        for scheduler in "fcfs", "easy":
            point = {**options, "load": load, "scheduler": scheduler}
            text = smesh.run(smesh.command("sim", {"topology": conf, "strategy": "linear,mm", **point, "csv": True}))
            mine = frame[(frame["load"] == load) & (frame["scheduler"] == scheduler)]
            same(mine.drop(columns=["load", "scheduler"]).reset_index(drop=True), text)
elif what == "folder":
    axes = {"load": [0.5, 0.7]}
    one = smesh.sweep(conf, "linear,mm", axes, **{**options, "repeat": 4})
    for again in range(2):
        many = smesh.sweep(conf, "linear,mm", {"load": [0.5, -1, 0.7]}, folder="sweep", runs=3, **{**options, "repeat": 4})
        names = [n for n in one.columns if not n.startswith("decision")]
        pandas.testing.assert_frame_equal(many[names], one[names])
        assert list(many.attrs["failed"]) == ["load=-1"] and "not a number" in many.attrs["failed"]["load=-1"]
        files = sorted(os.listdir("sweep"))
        assert files == ["load=0.5.1-3", "load=0.5.4-4", "load=0.7.1-3", "load=0.7.4-4"], files
        os.truncate("sweep/load=0.7.1-3", 3000) # as after a kill: the next call makes the rest
elif what == "whole":
    def call(folder, strategies, **more):
        return smesh.sweep(conf, strategies, {"load": [0.5]}, folder=folder, generate="lublin", jobs=30, **more)
    def stop(folder, lines):
        """What a call leaves that was stopped after so many runs."""
        path = folder + "/load=0.5.1-1"
        text = open(path).readlines()
        open(path, "w").writelines(text[:1 + lines])
        return len(text) - 1
    # "all" is many strategies, and cubes= one more.
    for folder, strategies, more in ("all", "all", {}), ("cubes", "ff", {"cubes": "4x4"}), ("list", ["mm", "ff"], {}):
        call(folder, strategies, **more)
        n = stop(folder, 1)
        frame = call(folder, strategies, **more)
        assert len(frame) == n > 1 and not frame["mean_wait"].isna().any() and frame.attrs["failed"] == {}, (folder, frame)
    # Runs of other strategies do not count.
    frame = call("list", "linear,snug")
    assert sorted(frame["strategy"]) == ["linear", "snug"], frame
    # The folder's files are of other options: no old figures.
    frame = call("list", "linear,snug", seed=7)
    assert frame.empty and "of another command than list/load=0.5.1-1: --seed" in frame.attrs["failed"]["load=0.5"], frame.attrs
    # What is missing is told.
    stop("list", 0)
    smesh._run_local = lambda *arguments: {}
    frame = call("list", "ff,mm", repeat=1)
    assert frame.empty and frame.attrs["failed"] == {"load=0.5": "runs are missing: 1 of ff, 1 of mm"}, frame.attrs
elif what == "draw":
    report = smesh.sim(conf, "linear,mm", **options)
    ax = smesh.draw_changes(report)
    assert "percent against linear" in ax.get_xlabel()
    mine = ax.containers[0].lines[0].get_xdata()
    assert list(mine) == [report["changes"]["mm"]["mean_turnaround_change_percent"]]
    jobs = smesh.jobs(conf, "linear,mm", **options)
    assert len(jobs) == 480 and sorted(set(jobs["run"])) == [1, 2]
    assert abs(jobs[jobs["strategy"] == "mm"]["slowdown"].mean() - report["strategies"]["mm"]["mean_bounded_slowdown"]) < 1e-4
    lines = smesh.draw_distribution(jobs, "slowdown").lines
    assert len(lines) == 2 and list(lines[0].get_ydata())[-1] == 1
    assert len(smesh.draw_sizes(jobs, "wait").lines) == 2
    places = smesh.placements(conf, "mm", generate="lublin", jobs=120, load=0.8)
    jobs = smesh.jobs(conf, "mm", generate="lublin", jobs=120, load=0.8)
    assert len(places) == jobs["nodes"].sum() and places["node"].nunique() <= 64
    assert abs((places["end"] - places["start"]).sum() - (jobs["nodes"] * (jobs["end"] - jobs["start"])).sum()) < 1
    assert smesh._host_list("n[08-10,12],m[0-1]x[0-1],k") == "n08 n09 n10 n12 m0x0 m0x1 m1x0 m1x1 k".split()
    smesh.draw_gantt(places).figure.savefig("gantt.svg")
    assert open("gantt.svg").read().count("<path") >= len(places)
elif what == "digits":
    # The command as a shell has it, its JSON as Python reads it: each number is in the table, the same double.
    frame = smesh.table(smesh.sim(conf, ["linear", "mm"], **options, scheduler="fcfs", no_shape=True, hint=None))
    text = subprocess.run([os.environ["SMESH"], "sim", "-t", conf, "-s", "linear,mm", "--generate", "lublin",
        "--jobs", "120", "--load", "0.8", "--repeat", "2", "--scheduler", "fcfs", "--no-shape", "--json"],
        capture_output=True, check=True).stdout
    seen = 0
    for name, figures in json.loads(text)["strategies"].items():
        line = frame[frame["strategy"] == name]
        assert len(line) == 1, name
        spread = {key + "_plusminus": value for key, value in figures.pop("plusminus").items()}
        for key, value in {**figures, **spread}.items():
            mine = line[key].iloc[0]
            seen += 1
            assert key.startswith("decision_") or mine == value or \
                (value is None and (mine is None or math.isnan(mine))), (key, mine, value)
    assert seen > 2 * 50 and len(frame) == 2, seen
elif what == "jobs":
    del options["repeat"]
    jobs = smesh.jobs(conf, ["linear", "mm"], **options)
    strategies = smesh.sim(conf, ["linear", "mm"], **options)["strategies"]
    assert len(jobs) == 240
    for name, summary in strategies.items():
        mine = jobs[jobs["strategy"] == name]
        assert len(mine) == summary["jobs"] == 120
        assert abs(mine["wait"].mean() - summary["mean_wait"]) < 1e-5
        assert abs(mine["turnaround"].mean() - summary["mean_turnaround"]) < 1e-5
        assert abs(mine["end"].max() - summary["makespan"]) < 1e-5
        assert abs(mine["hops"].mean() - summary["mean_hops"]) < 1e-5
        assert (mine["nodes"] == 1).any() and mine[mine["nodes"] == 1]["hops"].isna().all()
elif what == "page":
    # At each moment the jobs on the map have as many nodes as it says are busy.
    page = smesh.run(smesh.command("sim", {"topology": conf, "strategy": "linear,mm", "generate": "lublin",
        "jobs": 300, "load": 0.9, "contention": "mix", "html": "-"}))
    data = json.loads(page.split('id="machine-data">')[1].split("</script>")[0])
    for view in data["views"]:
        nodes = [sum(int((word + "*1").split("*")[1], 36) for word in cells.split()) for cells in view["cells"]]
        series = next(one for one in data["series"] if one["name"] == view["name"])
        assert len(series["busy"]) > 100 and max(series["busy"]) > 32
        assert all(q == sorted(q) for q in series["variation"] + series["slowdown"])
        assert series["variation"][0] == [1, 1, 1] and max(series["variation"])[1] > 1
        for moment, busy in enumerate(series["busy"]):
            time = moment * data["step"]
            there = sum(n for n, start, end in zip(nodes, view["start"], view["end"]) if start <= time < end)
            assert there == busy, (view["name"], moment, there, busy)
elif what == "guide":
    # doc/simulating-more.md, Python's lines as they stand: the log is jobs, the map topology.conf.
    lines = [line[4:] for line in open(os.environ["srcdir"] + "/doc/simulating-more.md") if line.startswith("    ")]
    code = "".join(lines[next(i for i, line in enumerate(lines) if line.startswith("import smesh")):])
    assert code.count("mean()") == 1 and "smesh.sweep(" in code, code
    names = {}
    exec(code.replace("jobs.groupby", "means = jobs.groupby"), names)
    report = smesh.sim("topology.conf", "linear,mm,snug", trace="jobs")["strategies"]
    for name, figures in report.items():
        for key in "wait", "turnaround", "hops":
            assert abs(names["means"][key][name] - figures["mean_" + key]) < 1e-5 * figures["mean_" + key], (name, key)
    assert len(names["frame"]) == 9
elif what == "example":
    os.chdir(os.environ["srcdir"])
    exec("\n".join(line[4:] for line in smesh.__doc__.splitlines() if line.startswith("    ")).replace("print(", "("))
    assert len(frame) == 6 and (jobs[jobs["strategy"] == "snug"]["hops"].mean() <
        jobs[jobs["strategy"] == "linear"]["hops"].mean())
elif what == "fails":
    def fails(message, function, *arguments, **options):
        try:
            function(*arguments, generate="lublin", jobs=10, **options)
        except smesh.SmeshError as error:
            assert message in str(error), error
        else:
            raise AssertionError("no error: " + message)
    fails("unknown strategy 'best'", smesh.sim, conf, "best")
    fails("per_job='-' takes the place of the report", smesh.sim, conf, "mm", per_job="-")
    for place in {"executor": "slurm"}, {"executor": "foo"}, {"executor": "foo", "folder": "sweep"}:
        fails("executor is local, or slurm with folder=", smesh.sweep, conf, "mm", {"load": [0.5]}, **place)
    sys.modules["pandas"] = sys.modules["matplotlib.pyplot"] = None  # as where there is none
    for function in smesh.jobs, smesh.placements, lambda *a, **o: smesh.table(smesh.sim(*a, **o)):
        fails("apt-get install python3-pandas", function, conf, "mm")
    fails("apt-get install python3-pandas", smesh.sweep, conf, "mm", {"load": [0.5]})
    fails("apt-get install python3-matplotlib", lambda **options: smesh._axes())
PY
check() {
	local out
	out=$($python "$dir/same.py" "$dir/conf" "$1" 2>&1)
	ok $? "$2"
	[ -z "$out" ] || echo "# ${out##*$'\n'}"
}
cd "$dir" || exit
cp "$srcdir/etc/workloads/torus.conf" topology.conf
head -n 150 "$srcdir/etc/workloads/lublin.swf" >"$PWD/jobs"
check guide "the guide's lines have the program's means"
check report "a report is a table"
check sweep "a sweep is a table"
check folder "a sweep in a folder is the same, goes on, and loses no other point"
check whole "what is whole: all strategies, cubes, and none but those that are asked for"
check draw "figures of one's own log"
check digits "digit by digit"
check jobs "jobs are a table"
check page "a page agrees with itself"
check fails "what fails says why"
check example "the example runs"
if $python -m pip --version >/dev/null 2>&1; then
	cp -r "$srcdir/contrib/python" "$dir/source"
	$python -m pip install --quiet --no-build-isolation --no-deps --no-index --target "$dir/installed" "$dir/source" >"$dir/pip" 2>&1 &&
		PYTHONPATH=$dir/installed $python -c 'import smesh; print(smesh.__file__, smesh.jobs.__name__)' >"$dir/found"
	like "$(cat "$dir/found" "$dir/pip")" "^$dir/installed/smesh.py jobs" "pip installs it"
else
	skip "pip installs it" "no python3-pip"
fi
is "$(sed -n 's/\.dev0"/~dev"/; s/^version = "\(.*\)"/smesh \1/p' "$srcdir/contrib/python/pyproject.toml")" "$("$SMESH" --version)" \
	"its version is smesh's"
$python "$srcdir/contrib/python/figures.py" --jobs 40 --repeat 2 "$dir/figures" >/dev/null 2>"$dir/err"
is "$(basename -a "$dir"/figures/*.svg | tr '\n' ' ')" "cplant.svg hops.svg slowdown.svg turnaround.svg " "figures are drawn"
mkdir -p "$dir/share/python" "$dir/share/workloads"
cp "$srcdir/contrib/python/"*.py "$dir/share/python"
is "$(PYTHONPATH=$dir/share/python $python -c 'import figures; print(figures.WORKLOADS)')" "$dir/share/workloads" \
	"an installed figures.py finds the installed logs"
is "$(grep -L '<path' "$dir"/figures/*.svg)" "" "and are not empty"
done_testing
