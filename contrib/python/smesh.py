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
strategy. The command is smesh in PATH, or the one in the environment's SMESH. Only table(),
sweep() and jobs() need pandas.
"""
import itertools
import json
import os
import subprocess
import sys
import tempfile


class SmeshError(RuntimeError):
    """smesh said that it could not; the text is its own."""


def command(name, options):
    """The command line of smesh NAME with these options, as a list."""
    line = [os.environ.get("SMESH", "smesh"), name]
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
    """What a command prints; SmeshError with its last message when it fails. Warnings go to stderr."""
    try:
        done = subprocess.run(line, capture_output=True, text=True, check=False)
    except OSError as error:
        raise SmeshError(f"{line[0]}: {error.strerror}; SMESH in the environment says where it is") from error
    if done.returncode:
        message = done.stderr.strip().splitlines()
        raise SmeshError(message[-1] if message else f"{line[0]}: exit code {done.returncode}")
    sys.stderr.write(done.stderr)
    return done.stdout


def _strategies(value):
    return value if isinstance(value, str) else ",".join(value)


def sim(topology, strategies, **options):
    """The report of smesh sim --json, as it is."""
    options = {"topology": topology, "strategy": _strategies(strategies), **options}
    return json.loads(run(command("sim", options) + ["--json"]))


def _lines(report):
    for name, figures in report["strategies"].items():
        line = {"strategy": name}
        for key, value in figures.items():
            if key != "plusminus":
                line[key] = value
        for key, value in figures.get("plusminus", {}).items():
            line[key + "_plusminus"] = value
        line.update(report.get("changes", {}).get(name, {}))
        yield line


def table(report):
    """A report as a DataFrame: a line for each strategy."""
    import pandas

    return pandas.DataFrame(_lines(report))


def sweep(topology, strategies, axes, **options):
    """The table of each combination of values, {"load": [0.5, 0.7], "scheduler": ["fcfs", "easy"]}."""
    import pandas

    frames = []
    for values in itertools.product(*axes.values()):
        point = dict(zip(axes, values))
        frames.append(table(sim(topology, strategies, **{**options, **point})).assign(**point))
    return pandas.concat(frames, ignore_index=True)


def jobs(topology, strategies, **options):
    """A line for each job under each strategy in each run, as --per-job has it, with wait and turnaround.

    Jobs of one node have no hops and no stretch, as in smesh sim's means."""
    import pandas

    options = {"topology": topology, "strategy": _strategies(strategies), **options}
    with tempfile.NamedTemporaryFile() as file:
        run(command("sim", options) + ["--per-job=" + file.name])
        frame = pandas.read_csv(file.name)
    several = frame["nodes"] > 1
    return frame.assign(hops=frame["hops"].where(several), stretch=frame["stretch"].where(several),
                        wait=frame["start"] - frame["submit"], turnaround=frame["end"] - frame["submit"])
