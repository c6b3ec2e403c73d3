"""Pictures of the results, by gnuplot, in colours that all can tell apart (Okabe and Ito's)."""

import os
import statistics
import subprocess

COLOURS = {"floor": "#999999", "stock": "#D55E00", "windowagg": "#E69F00", "fused": "#0072B2",
           "duckdb, 1 thread": "#009E73", "duckdb, all threads": "#56B4E9", "sqlite": "#CC79A7", "pandas": "#000000"}
POINTS = {name: number for number, name in enumerate(COLOURS, 4)}
SETTINGS = """\
set terminal svg size 800,480 font 'sans-serif,13' background '#ffffff' linewidth 1.5
set border 3 lc rgb '#444444'
set tics nomirror
set grid ytics lc rgb '#dddddd' lw 0.7
"""


def gnuplot(script):
    subprocess.run(["gnuplot"], input=SETTINGS + script, check=True, text=True)


def middle(measured, name):
    return statistics.median(measured.times[name])


def block(name, lines):
    return f"${name} << END\n" + "\n".join(lines) + "\nEND\n"


def curves(file, title, xlabel, group, logscale):
    """Time against a number, a line for each contender."""
    names = [name for name in COLOURS if name in group[0].times]
    lines = [" ".join([str(m.shape.scale)] + [f"{middle(m, name):.6f}" for name in names]) for m in group]
    parts = [f"$data using 1:{i} with linespoints lc rgb '{COLOURS[name]}' pt {POINTS[name]} ps 0.8 title '{name}'"
             for i, name in enumerate(names, 2)]
    gnuplot(block("data", lines) + f"set output '{file}'\nset title '{title}'\nset xlabel '{xlabel}'\n"
            f"set ylabel 'seconds'\nset logscale {logscale}\nset format x '%.0s%c'\nset format y '%g'\nset key tmargin center horizontal\n"
            f"set xrange [{group[0].shape.scale} : {group[-1].shape.scale}]\n"
            + ("" if "y" in logscale else "set yrange [0:*]\n") + "plot " + ", ".join(parts) + "\n")


def bars(file, group):
    """Each shape's contenders side by side; the label says how many times as fast as stock."""
    names = [name for name in COLOURS if any(name in m.times for m in group)]
    step = len(names) + 1.5
    data, boxes = [], []
    for i, name in enumerate(names):
        rows = [f"{number * step + i} {middle(m, name):.6f} {middle(m, 'stock') / middle(m, name):.2g}"
                for number, m in enumerate(group) if name in m.times]
        data.append(block(f"data{i}", rows))
        boxes.append(f"$data{i} using 1:2 with boxes lc rgb '{COLOURS[name]}' title '{name}'")
        if name != "floor":
            boxes.append(f"$data{i} using 1:2:(sprintf('%g', $3)) with labels offset 0,0.6 font ',10' notitle")
    tics = ", ".join(f"'{m.shape.name}: {m.shape.title}' {number * step + (len(names) - 1) / 2}" for number, m in enumerate(group))
    gnuplot("".join(data) + f"set terminal svg size 1000,520\nset output '{file}'\nset style fill solid 0.9 border rgb '#ffffff'\n"
            f"set boxwidth 0.9\nset xtics ({tics}) scale 0\nset logscale y\nset ylabel 'seconds, logarithmic'\n"
            "set title 'Rolling sums: seconds, and how many times as fast as stock PostgreSQL'\n"
            f"set xrange [-1 : {step * len(group) - 1}]\nset key below horizontal\nplot " + ", ".join(boxes) + "\n")


def draw(measured, folder):
    groups = {}
    for m in measured:
        groups.setdefault(m.shape.name[0], []).append(m)
    for letter, file, title, xlabel, logscale in (
            ("F", "width.svg", "One frame, by its width (one partition)", "rows in the frame", "x"),
            ("G", "frames.svg", "Frames of one measure, by their number", "frames", "xy"),
            ("H", "rows.svg", "Five frames of one measure, by the number of rows", "rows", "xy")):
        if letter in groups:
            curves(os.path.join(folder, file), title, xlabel, groups[letter], logscale)
    compared = [m for letter in "ABC" for m in groups.get(letter, [])]
    if compared:
        bars(os.path.join(folder, "contenders.svg"), compared)
