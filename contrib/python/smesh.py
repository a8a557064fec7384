# SPDX-License-Identifier: GPL-2.0-or-later
"""smesh sim from Python: pip install this folder, or put this file beside a notebook.

    import smesh
    torus = "etc/workloads/torus.conf"               # of the source tree, as the log below
    report = smesh.sim(torus, "linear,mm,snug", generate="lublin", load=0.8, jobs=500)
    frame = smesh.table(report)                      # a line a strategy (pandas)
    frame = smesh.sweep(torus, "mm,snug", {"load": [0.5, 0.7, 0.9]}, generate="lublin", jobs=500,
                        repeat=3)
    jobs = smesh.jobs(torus, "linear,snug", trace="etc/workloads/lublin.swf", contention="mix")
    print(jobs.groupby("strategy")[["hops", "turnaround"]].mean())  # a line a job and strategy

Options are those of smesh(1), with _ for -: True for those without a value, lists for values
with commas. Times are in seconds; without contention= run times are the log's, whatever the
strategy. The command is smesh in PATH, or the one in the environment's SMESH. Only sim(), gather(),
run() and command() do without pandas; draw_...() need matplotlib, too.
"""
import collections
import concurrent.futures
import importlib
import itertools
import json
import math
import os
import re
import shlex
import subprocess
import sys
import tempfile


class SmeshError(RuntimeError):
    """smesh said that it could not; the text is its own."""


def command(name, options):
    """The command line of smesh NAME with these options, as a list.

    SMESH in the environment is the program, and options before NAME: SMESH="smesh --strategies=near.so"
    """
    smesh = os.environ.get("SMESH", "smesh")
    line = ([smesh] if os.path.exists(smesh) else shlex.split(smesh)) + [name]
    for option, value in options.items():
        option = "--" + option.replace("_", "-")
        if value is True:
            line.append(option)
        elif value is not None and value is not False:
            if isinstance(value, (list, tuple)):
                value = ",".join(map(str, value))
            line.append(f"{option}={value}")
    return line


def run(line):
    """What a command prints; SmeshError with all of its messages when it fails. Warnings go to stderr."""
    try:
        done = subprocess.run(line, capture_output=True, text=True, check=False)
    except OSError as error:
        raise SmeshError(f"{line[0]}: {error.strerror}; SMESH in the environment says where it is") from error
    if done.returncode:
        raise SmeshError(done.stderr.strip() or f"{line[0]}: exit code {done.returncode}")
    sys.stderr.write(done.stderr)
    return done.stdout


def _module(name):
    """pandas or matplotlib; SmeshError says how to have it."""
    try:
        return importlib.import_module(name)
    except ModuleNotFoundError as error:
        package = name.split(".", maxsplit=1)[0]
        raise SmeshError(f"{package} is missing: apt-get install python3-{package}") from error


def _strategies(value):
    return value if isinstance(value, str) else ",".join(value)


def _names(options):
    """The strategies that smesh sim makes with these options."""
    names = _strategies(options["strategy"]).lower().split(",")
    if names == ["all"]:
        names = [one["name"].lower() for one in json.loads(run(command("strategies", {"json": True})))]
    return names + (["cubes"] if options.get("cubes") else [])


def sim(topology, strategies, **options):
    """The report of smesh sim --json, as it is."""
    options = {"topology": topology, "strategy": _strategies(strategies), **options}
    files = [name for name, value in options.items() if value == "-" and name != "trace"]
    if files:
        raise SmeshError(f"{files[0]}='-' takes the place of the report: name a file")
    return json.loads(run(command("sim", options) + ["--json"]))


def _lines(report):
    for name, figures in report["strategies"].items():
        line = {"strategy": name}
        line.update({key: value for key, value in figures.items() if key != "plusminus"})
        for key, value in figures.get("plusminus", {}).items():
            line[key + "_plusminus"] = value
        line.update(report.get("changes", {}).get(name, {}))
        # Not measured or not compared, but a number to pandas.
        yield {key: math.nan if value is None else value for key, value in line.items()}


def table(report):
    """A report as a DataFrame: a line for each strategy."""
    return _module("pandas").DataFrame(_lines(report))


def gather(files, **options):
    """The report of smesh gather --json: runs that smesh sim --resume has written to several files."""
    files = [files] if isinstance(files, (str, os.PathLike)) else files
    return json.loads(run(command("gather", options) + ["--json", *map(str, files)]))


def sweep(topology, strategies, axes, folder=None, executor="local", workers=None, runs=None, sbatch=(), **options):
    """The table of each combination of values, {"load": [0.5, 0.7], "scheduler": ["fcfs", "easy"]}.

    With folder= each point has files of its own there, of so many `runs` of repeat= each (default: all).
    Changes are against the strategy against=, or linear where it is among them, or the first.
    Without folder= the points run one after the other, and the first that fails ends the call. With it
    they are made side by side: on this machine, `workers` at once, or with executor="slurm" by a job
    array, which gets the options `sbatch` and is waited for. The folder must be one that its nodes see.
    The same call again makes only what is missing. A point that fails is told, is in
    frame.attrs["failed"] with its messages, or with what is missing, and costs no other. So is a point
    whose files in the folder are of other options.
    """
    if executor not in ("local", "slurm") or (executor == "slurm" and folder is None):
        raise SmeshError("executor is local, or slurm with folder=")
    pandas = _module("pandas")
    points = [dict(zip(axes, values)) for values in itertools.product(*axes.values())]
    options = {"topology": topology, "strategy": _strategies(strategies), **options}
    if folder is None:
        frames = [table(json.loads(run(command("sim", {**options, **point}) + ["--json"]))).assign(**point)
                  for point in points]
        return pandas.concat(frames, ignore_index=True)
    tasks = [_tasks({**options, **point}, os.path.join(folder, _name(point)), runs) for point in points]
    os.makedirs(folder, exist_ok=True)
    left, whole = [], []
    for line, path, wanted in sum(tasks, []):
        (left if wanted - _runs_in(path) else whole).append(line)
    refused = _run_local(whole, folder, workers, sbatch)  # makes no run, but asks if the files are of these options
    failed = dict(refused)
    if left:
        failed.update({"local": _run_local, "slurm": _run_slurm}[executor](left, folder, workers, sbatch))
    frames, lost = [], {}
    for point, parts in zip(points, tasks):
        name, files, names = _name(point), [path for _, path, _ in parts], _names({**options, **point})
        missing = {path: wanted - _runs_in(path) for _, path, wanted in parts}
        bad = [path for path in files if missing[path] or path in refused]
        if bad:
            lost[name] = failed.get(bad[0]) or "runs are missing: " + _counts(set().union(*missing.values()))
            sys.stderr.write(f"{name}: {lost[name]}\n")
        else:  # the files may have other strategies, of a call before
            against = options.get("against") or ("linear" if "linear" in names else names[0])
            frame = table(gather(files, against=against))
            frames.append(frame[frame["strategy"].str.lower().isin(names)].assign(**point))
    frame = pandas.concat(frames, ignore_index=True) if frames else pandas.DataFrame()
    frame.attrs["failed"] = lost
    return frame


def _name(point):
    return re.sub(r"[^\w.=,+-]", "_", ",".join(f"{key}={value}" for key, value in point.items())) or "all"


def _tasks(options, path, runs):
    """(command line, file, {(strategy, run)} of the file when it is whole) for each part of the runs of a point."""
    repeat, names, out = int(options.get("repeat") or 1), _names(options), []
    for first in range(1, repeat + 1, runs or repeat):
        last = min(first + (runs or repeat) - 1, repeat)
        file = f"{path}.{first}-{last}"
        line = command("sim", {**options, "runs": f"{first}-{last}", "threads": 1, "resume": file})
        out.append((line, file, set(itertools.product(names, range(first, last + 1)))))
    return out


def _runs_in(path):
    """{(strategy, run)} of the runs that smesh sim --resume has written to a file."""
    found = set()
    try:
        with open(path, encoding="utf-8", errors="replace") as file:
            for text in file:
                try:
                    line = json.loads(text)
                    found.add((line["strategy"].lower(), line["run"]))
                except (ValueError, KeyError, TypeError, AttributeError):  # the first line, or one that was cut off
                    pass
    except OSError:
        pass
    return found


def _counts(runs):
    """2 of linear, 3 of mm: how many runs each strategy has."""
    count = collections.Counter(name for name, _ in runs)
    return ", ".join(f"{count[name]} of {name}" for name in sorted(count))


def _run_local(lines, folder, workers, sbatch):
    """{file: message} of those that failed."""
    failed = {}

    def one(line):
        try:
            run(line)
        except SmeshError as error:
            failed[line[-1].split("=", 1)[1]] = str(error)

    with concurrent.futures.ThreadPoolExecutor(workers or len(os.sched_getaffinity(0))) as pool:
        list(pool.map(one, lines))
    return failed


def _run_slurm(lines, folder, workers, sbatch):
    """The same by a job array, whose tasks take lines N, N + 1000, ... of a file each."""
    tasks = os.path.join(folder, "tasks")
    with open(tasks, "w", encoding="utf-8") as file:
        file.writelines(shlex.join(line) + " >/dev/null 2>" + shlex.quote(line[-1].split("=", 1)[1] + ".err") + "\n"
                        for line in lines)
    submit = ["sbatch", "--wait", "--job-name=sweep", "--output=/dev/null", f"--array=1-{min(len(lines), 1000)}", *sbatch,
              "--wrap", f'sed -n "${{SLURM_ARRAY_TASK_ID}}~1000p" {shlex.quote(tasks)} | sh']
    done = subprocess.run(submit, capture_output=True, text=True, check=False)  # its code is that of the worst task
    if not done.stdout.startswith("Submitted"):
        raise SmeshError(done.stderr.strip() or "sbatch failed")
    failed = {}
    for line in lines:
        path = line[-1].split("=", 1)[1]
        try:
            with open(path + ".err", encoding="utf-8") as file:
                failed[path] = file.read().strip() or "the task was killed"
        except OSError:
            failed[path] = "the task did not run"
    return failed


def jobs(topology, strategies, **options):
    """A line for each job under each strategy in each run, as --per-job has it, with wait, turnaround and bounded
    slowdown.

    Jobs of one node have no hops and no stretch, as in smesh sim's means."""
    pandas = _module("pandas")
    options = {"topology": topology, "strategy": _strategies(strategies), **options}
    with tempfile.NamedTemporaryFile() as file:
        run(command("sim", options) + ["--per-job=" + file.name])
        frame = pandas.read_csv(file.name)
    several = frame["nodes"] > 1
    return frame.assign(hops=frame["hops"].where(several), stretch=frame["stretch"].where(several),
                        wait=frame["start"] - frame["submit"], turnaround=frame["end"] - frame["submit"],
                        slowdown=((frame["end"] - frame["submit"]) /
                                  (frame["end"] - frame["start"]).clip(lower=10)).clip(lower=1))


def draw_changes(report, figure="mean_turnaround", ax=None):
    """The changes of a figure against the strategy of --against, with their 95% intervals (matplotlib)."""
    ax = ax or _axes()
    frame = table(report)
    frame = frame[frame["strategy"] != report["against"]]
    key = figure + "_change_percent"
    error = frame[key + "_plusminus"] if key + "_plusminus" in frame else None
    ax.errorbar(frame[key], frame["strategy"], xerr=error, fmt="o", capsize=3)
    ax.axvline(0, color="grey", linewidth=0.8)
    ax.set_xlabel(f"{figure}, percent against {report['against']}")
    return ax


def draw_distribution(jobs, column="wait", ax=None):
    """What share of the jobs has at most that much, of a column of jobs(): wait, turnaround, slowdown, hops."""
    ax = ax or _axes()
    for name, part in jobs.groupby("strategy", sort=False):
        values = part[column].dropna().sort_values()
        ax.step(values, [(i + 1) / len(values) for i in range(len(values))], where="post", label=name)
    ax.set_xscale("symlog", linthresh=1)
    ax.set_xlabel(column + (", seconds" if column in ("wait", "turnaround") else ""))
    ax.set_ylabel("share of jobs")
    ax.legend()
    return ax


def draw_sizes(jobs, column="wait", ax=None):
    """Means of a column of jobs() by the size of jobs, up to 1, 2, 4, ... nodes."""
    ax = ax or _axes()
    up_to = jobs["nodes"].map(lambda nodes: 1 << (int(nodes) - 1).bit_length())
    for name, part in jobs.groupby("strategy", sort=False):
        means = part[column].groupby(up_to[part.index]).mean()
        ax.plot(means.index, means, "o-", label=name)
    ax.set_xscale("log", base=2)
    ax.set_xlabel("nodes of the job, up to")
    ax.set_ylabel(column + ", mean" + (", seconds" if column in ("wait", "turnaround") else ""))
    ax.legend()
    return ax


def placements(topology, strategy, **options):
    """Where each job ran: a line for each job and node, with start and end in seconds (--placements)."""
    pandas = _module("pandas")
    options = {"topology": topology, "strategy": strategy, **options}
    with tempfile.NamedTemporaryFile() as file:
        run(command("sim", options) + ["--placements=" + file.name])
        with open(file.name, encoding="utf-8") as lines:
            fields = [line.split() for line in lines]
    rows = [(job, float(start), float(end), node) for job, start, end, nodes in fields for node in _host_list(nodes)]
    return pandas.DataFrame(rows, columns=["job", "start", "end", "node"])


def draw_gantt(places, ax=None):
    """The nodes of placements() over time, each job in a colour of its own; savefig() writes SVG, PDF or PNG."""
    collection = _module("matplotlib.collections").PolyCollection
    ax = ax or _axes()
    nodes = sorted(set(places["node"]), key=lambda name: [int(part) if part.isdigit() else part
                                                          for part in re.split("([0-9]+)", name)])
    row = places["node"].map({name: i for i, name in enumerate(nodes)})
    number = {job: i for i, job in enumerate(dict.fromkeys(places["job"]))}
    bars = [[(start, y), (end, y), (end, y + 1), (start, y + 1)]
            for start, end, y in zip(places["start"] / 3600, places["end"] / 3600, row)]
    # The golden ratio: jobs that follow each other have colours far apart.
    colours = [0.618034 * number[job] % 1 for job in places["job"]]
    ax.add_collection(collection(bars, array=colours, cmap="tab20", linewidth=0))
    ax.set_ylim(0, len(nodes))
    ax.set_xlim(places["start"].min() / 3600, places["end"].max() / 3600)
    ax.set_xlabel("hours")
    ax.set_ylabel("nodes, " + nodes[0] + " to " + nodes[-1])
    return ax


def _host_list(text):
    """n[0-2,7],m4: n0, n1, n2, n7, m4."""
    names = []
    for word in re.findall(r"(?:[^,\[]|\[[^\]]*\])+", text):
        parts = [""]
        for piece in re.findall(r"\[[^\]]*\]|[^\[]+", word):
            if piece.startswith("["):
                ranges = [r.split("-") for r in piece[1:-1].split(",")]
                piece = [str(i).zfill(len(r[0])) for r in ranges for i in range(int(r[0]), int(r[-1]) + 1)]
            else:
                piece = [piece]
            parts = [part + end for part in parts for end in piece]
        names += parts
    return names


def _axes():
    return _module("matplotlib.pyplot").subplots(constrained_layout=True)[1]
