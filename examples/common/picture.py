#!/usr/bin/python3
"""Makes a picture of a field in a .vtu file that an example has written with --output.

    picture.py FILE.vtu --field NAME [--component K] [--crop x0,x1,y0,y1] [--slice y=0.5] -o picture.png

A mesh in three dimensions is drawn where a plane cuts it (--slice), with one colour for each cell that is cut. It
needs Debian's packages python3-numpy and python3-matplotlib; builds and tests of the examples do not need it.
"""
import argparse
import io
import os
import sys
import xml.etree.ElementTree as xml

import numpy as np
import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt
from matplotlib.collections import PolyCollection
from matplotlib.tri import Triangulation
from PIL import Image

TYPES = {"Float64": "f8", "Float32": "f4", "Int32": "i4", "Int64": "i8", "UInt8": "u1"}
# Edges of the shapes that output.c writes, by VTK's number of the shape.
EDGES = {
    10: [(0, 1), (1, 2), (2, 0), (0, 3), (1, 3), (2, 3)],
    12: [(0, 1), (1, 2), (2, 3), (3, 0), (4, 5), (5, 6), (6, 7), (7, 4), (0, 4), (1, 5), (2, 6), (3, 7)],
}


def fail(message):
    sys.exit(f"picture.py: {message}")


def read_vtu(name):
    """Returns points [n][3], corners [cells][k], shape, point fields and cell fields of a file of output.c."""
    with open(name, "rb") as file:
        content = file.read()
    begin = content.find(b'<AppendedData encoding="raw">')
    if begin < 0:
        fail(f"'{name}' has no appended binary data; is it a file that an example has written?")
    root = xml.fromstring(content[:begin] + b"</VTKFile>")
    data = content.index(b"_", begin) + 1
    order = "<" if root.get("byte_order") == "LittleEndian" else ">"

    def array(element):
        kind = np.dtype(order + TYPES[element.get("type")])
        start = data + int(element.get("offset"))
        size = int(np.frombuffer(content, order + "u8", 1, start)[0])
        values = np.frombuffer(content, kind, size // kind.itemsize, start + 8)
        width = int(element.get("NumberOfComponents", 1))
        return values.reshape(-1, width) if width > 1 else values

    piece = root.find("UnstructuredGrid/Piece")
    cells = {a.get("Name"): array(a) for a in piece.find("Cells")}
    count = len(cells["offsets"])
    corners = cells["connectivity"].reshape(count, -1)
    fields = [{a.get("Name"): array(a) for a in piece.find(where)} for where in ("PointData", "CellData")]
    return array(piece.find("Points/DataArray")), corners, int(cells["types"][0]), *fields


def component(values, which):
    """One number for each row: a component, or the length of a vector."""
    if values.ndim == 1:
        return values
    return np.linalg.norm(values, axis=1) if which is None else values[:, which]


def cut(points, corners, shape, axis, place):
    """The polygons in which the plane cuts cells: the points of each, all the way round, and the cells."""
    rest = [a for a in range(3) if a != axis]
    distance = points[:, axis] - place
    distance[distance == 0.0] = 1e-12 * (np.ptp(points[:, axis]) or 1.0)  # a plane through nodes cuts one side
    sides = distance[corners] > 0.0
    polygons, cells = [], np.flatnonzero(sides.any(axis=1) & ~sides.all(axis=1))
    for cell in cells:
        hits = []
        for a, b in EDGES[shape]:
            p, q = corners[cell, a], corners[cell, b]
            if (distance[p] > 0.0) != (distance[q] > 0.0):
                part = distance[p] / (distance[p] - distance[q])
                hits.append(points[p, rest] + part * (points[q, rest] - points[p, rest]))
        hits = np.array(hits)
        middle = hits - hits.mean(axis=0)
        polygons.append(hits[np.argsort(np.arctan2(middle[:, 1], middle[:, 0]))])
    return polygons, cells, rest


def arguments():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("file")
    parser.add_argument("--field", required=True, help="name of the field in the file")
    parser.add_argument("--component", type=int, help="of a vector, from 0 on; without it: its length")
    parser.add_argument("--label", help="text at the colour bar (default: the field's name)")
    parser.add_argument("--title", help="text above the picture")
    parser.add_argument("--crop", help="x0,x1,y0,y1: the part that is shown")
    parser.add_argument("--range", help="low,high: the values at the ends of the colour bar")
    parser.add_argument("--slice", help="x=..., y=... or z=...: the plane that cuts a mesh in three dimensions")
    parser.add_argument("--colours", default="viridis", help="a colour map of matplotlib")
    parser.add_argument("--mesh", action="store_true", help="draw the edges of the cells")
    parser.add_argument("--width", type=float, default=6.0, help="inches, of 100 pixels each")
    parser.add_argument("-o", dest="picture", required=True, help="the picture, a .png file")
    options = parser.parse_args()
    if not 1.0 <= options.width <= 40.0:
        fail(f"--width={options.width:g}: it is 1 to 40")
    return options


def numbers(text, count, option):
    try:
        values = [float(word) for word in text.split(",")]
    except ValueError:
        values = []
    if len(values) != count:
        fail(f"--{option} needs {count} numbers with commas between, not '{text}'")
    return values


def draw(axes, options, points, corners, shape, values, on_cells):
    """Draws the field; returns what the colour bar belongs to, and the names of the axes."""
    edge = {"edgecolors": "#00000055", "linewidths": 0.2} if options.mesh else {"antialiaseds": False}
    if shape in EDGES:
        if not options.slice or options.slice[:2] not in ("x=", "y=", "z="):
            fail("this mesh has three dimensions: --slice=y=0.5 says which plane is drawn")
        axis = "xyz".index(options.slice[0])
        polygons, cells, rest = cut(points, corners, shape, axis, numbers(options.slice[2:], 1, "slice")[0])
        if not polygons:
            fail(f"the plane {options.slice} cuts no cell")
        colours = values[cells] if on_cells else values[corners[cells]].mean(axis=1)
    elif on_cells:
        polygons, colours, rest = points[corners][:, :, :2], values, [0, 1]
    else:
        triangles = corners if shape == 5 else np.vstack((corners[:, [0, 1, 2]], corners[:, [0, 2, 3]]))
        drawn = axes.tripcolor(Triangulation(points[:, 0], points[:, 1], triangles), values, shading="gouraud")
        return drawn, "xy"
    drawn = axes.add_collection(PolyCollection(polygons, array=colours, **edge))
    axes.autoscale_view()
    return drawn, "".join("xyz"[a] for a in rest)


def main():
    options = arguments()
    points, corners, shape, at_points, in_cells = read_vtu(options.file)
    fields = {**at_points, **in_cells}
    if options.field not in fields:
        fail(f"'{options.file}' has no field '{options.field}', but these: {', '.join(fields)}")
    values = component(fields[options.field], options.component)
    figure, axes = plt.subplots(figsize=(options.width, 0.75 * options.width), layout="constrained")
    drawn, names = draw(axes, options, points.copy(), corners, shape, values, options.field in in_cells)
    drawn.set_cmap(options.colours)
    if options.range:
        drawn.set_clim(*numbers(options.range, 2, "range"))
    if options.crop:
        x0, x1, y0, y1 = numbers(options.crop, 4, "crop")
        axes.set_xlim(x0, x1)
        axes.set_ylim(y0, y1)
    else:
        axes.margins(0.0)
    axes.set_aspect("equal")
    axes.set_xlabel(names[0])
    axes.set_ylabel(names[1])
    if options.title:
        axes.set_title(options.title)
    box = axes.get_xlim()[1] - axes.get_xlim()[0], axes.get_ylim()[1] - axes.get_ylim()[0]
    wide = box[0] > 1.6 * box[1]
    figure.set_size_inches(options.width, options.width * min(1.4, max(0.3, box[1] / box[0])) + (1.1 if wide else 0.0))
    figure.colorbar(drawn, ax=axes, label=options.label or options.field, shrink=0.8,
                    location="bottom" if wide else "right")
    # An opaque ground, so that the labels are readable on dark pages too; few colours keep the file small.
    pixels = io.BytesIO()
    figure.savefig(pixels, dpi=100, facecolor="white")
    Image.open(pixels).convert("RGB").quantize(128, dither=Image.Dither.NONE).save(options.picture, "PNG", optimize=True)
    size = os.path.getsize(options.picture)
    print(f"{options.picture}: {size} bytes")
    if size > 60000:
        fail("more than 60 KB: give a smaller --width, or a --crop")


main()
