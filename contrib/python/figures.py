# SPDX-License-Identifier: GPL-2.0-or-later
"""The figures of the papers, drawn from simulations:

  python3 figures.py [--jobs N] [--repeat N] FOLDER

  cplant     Leung et al. 2002, section 4: makespan by allocator when jobs slow each other down
  hops       Bender et al. 2008: total pairwise hops by strategy, against the offered load
  turnaround Bani-Mohammad et al., turning busy list: mean turnaround of contiguous strategies
  slowdown   Mu'alem and Feitelson 2001: bounded slowdown by scheduler, against the load

Also an example of how to use smesh.py. pandas and matplotlib are Debian's python3-pandas and
python3-matplotlib; smesh is the one in PATH, or in the environment's SMESH.
"""
import argparse
import pathlib
import tempfile

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

import smesh  # noqa: E402

HERE = pathlib.Path(__file__).resolve()
# In the source tree, or installed.
WORKLOADS = next(path for path in (HERE.parents[2] / "etc/workloads", HERE.parents[1] / "workloads")
                 if path.is_dir())


def machine(folder, sides, wrap="none"):
    """A topology.conf of that mesh."""
    nodes = 1
    for side in sides.split("x"):
        nodes *= int(side)
    path = pathlib.Path(folder) / f"{sides}.conf"
    path.write_text(f"MeshName=m Dims={sides} Wrap={wrap} Nodes=n[0-{nodes - 1}]\n", encoding="ascii")
    return path


def lines(frame, x, y, title, path):
    """One line a strategy (or whatever frame["who"] says), with its 95% interval."""
    figure, axes = plt.subplots(figsize=(6, 4))
    for name, part in frame.groupby("who", sort=False):
        error = part[y + "_plusminus"] if y + "_plusminus" in part else None
        axes.errorbar(part[x], part[y], yerror(error), label=name, marker="o", markersize=3, capsize=2)
    axes.set(xlabel=x, ylabel=y.replace("_", " "), title=title)
    axes.legend(fontsize="small")
    figure.tight_layout()
    figure.savefig(path)
    plt.close(figure)


def yerror(error):
    return None if error is None else error.fillna(0)


def cplant(folder, _machines, _asked):
    names = ["linear", "row-bf", "hilbert-sorted", "hilbert-ss", "hilbert-ff", "hilbert-bf"]
    frame = smesh.table(smesh.sim(WORKLOADS / "cplant.conf", names,
        trace=WORKLOADS / "cplant.swf", contention="all-to-all", comm_share=100))
    figure, axes = plt.subplots(figsize=(6, 4))
    axes.bar(frame["strategy"], frame["makespan"] / 3600)
    axes.set(ylabel="makespan, hours", title="Cplant: all-to-all")
    axes.tick_params(axis="x", rotation=30)
    figure.tight_layout()
    figure.savefig(folder / "cplant.svg")
    plt.close(figure)
    return frame


def hops(folder, machines, asked):
    frame = smesh.sweep(machine(machines, "16x16"), "mc1x1,mm,mm+inc,hilbert-bf,snug",
        {"load": [0.5, 0.6, 0.7, 0.8, 0.9]}, generate="lublin", jobs=asked.jobs, repeat=asked.repeat)
    frame["who"] = frame["strategy"]
    lines(frame, "load", "mean_pairwise_hops", "16x16: total pairwise hops", folder / "hops.svg")
    return frame


def turnaround(folder, machines, asked):
    frame = smesh.sweep(machine(machines, "16x22"), "ff,bf,tbl,mbs,linear",
        {"load": [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7]},
        generate="uniform", jobs=asked.jobs, repeat=asked.repeat, hops_only=True)
    frame["who"] = frame["strategy"]
    lines(frame, "load", "mean_turnaround", "16x22: uniform side lengths", folder / "turnaround.svg")
    return frame


def slowdown(folder, machines, asked):
    frame = smesh.sweep(machine(machines, "8x8x8", "all"), "hilbert-bf",
        {"load": [0.5, 0.6, 0.7, 0.8, 0.9], "scheduler": ["fcfs", "easy"]}, generate="lublin",
        overestimate=3, jobs=asked.jobs, repeat=asked.repeat, hops_only=True)
    frame["who"] = frame["scheduler"]
    lines(frame, "load", "mean_bounded_slowdown", "8x8x8 torus: schedulers", folder / "slowdown.svg")
    return frame


def main():
    parser = argparse.ArgumentParser(description="draw the figures of the papers")
    parser.add_argument("--jobs", type=int, default=5000, help="of each simulation (5000)")
    parser.add_argument("--repeat", type=int, default=10, help="simulations for each point (10)")
    parser.add_argument("folder", type=pathlib.Path)
    asked = parser.parse_args()
    asked.folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as machines:
        for draw in (cplant, hops, turnaround, slowdown):
            frame = draw(asked.folder, machines, asked)
            frame.to_csv(asked.folder / f"{draw.__name__}.csv", index=False)
            print(f"{asked.folder / draw.__name__}.svg")


if __name__ == "__main__":
    main()
