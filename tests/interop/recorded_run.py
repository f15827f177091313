"""What the interop checks share: a small run, and its recording read without any of Dashpot's code.

frames.dpf is parsed by hand, the rest meshes are read by meshio. Usage of a check: check_X.py DASHPOT FOLDER.
"""
import json
import pathlib
import shutil
import struct
import subprocess
import sys

import meshio
import numpy as np

CROWD = {
    "dashpot": 1,
    "title": "A \"crowd\" & <friends>",
    "gravity": [0, -9.81, 0],
    "time": {"dt": "5 ms", "end": "0.3 s", "stepper": "bathe"},
    "bodies": [
        {"name": "pinned-bar",
         "mesh": {"bar": {"size": [1, 0.2, 0.2], "cells": [5, 2, 2]}},
         "material": {"model": "stvk", "young": "50 kPa", "poisson": 0.3, "density": 1000},
         "damping": [{"model": "rayleigh", "alpha": "1 /s", "stiffness": "rest"}],
         "pins": [{"where": {"box": [[-9, -9, -9], [1e-6, 9, 9]]}}]},
        {"name": "flying",
         "mesh": {"bar": {"size": [0.4, 0.1, 0.05], "cells": [4, 2, 1]}},
         "elements": "tet10",
         "place": {"translate": [0, 1, 0]},
         "material": {"model": "stvk", "young": "0.2 MPa", "poisson": 0.3, "density": 1000},
         "start": {"from": "rest", "velocity": ["0.5 m/s", 2, 0], "angular_velocity": [0, "1 rad/s", "9 rad/s"]}},
        {"name": "rope",
         "mesh": {"chain": {"ends": [[0, 2, 0], ["1 m", 2, 0]], "edges": 6}},
         "springs": [{"stiffness": "400 N/m"}],
         "point_masses": [{"mass": "100 g"}],
         "pins": [{"where": {"vertices": [0]}}]},
    ],
    "record": {"every": "20 ms"},
}


def single_body(elements):
    """The first or the second body alone."""
    scene = dict(CROWD)
    scene["title"] = "One body of " + elements
    scene["bodies"] = [CROWD["bodies"][0 if elements == "tet4" else 1]]
    return scene


def read_mesh(path):
    """A mesh by meshio; by hand where that gives up: it refuses files in which some elements are in a region and others,
    such as the points of a named set, are of another kind."""
    try:
        return meshio.read(path)
    except ValueError:
        pass
    words = iter(path.read_text().split("$Nodes", 1)[1].split())

    def integers(count):
        return [int(next(words)) for _ in range(count)]

    points = {}
    for _ in range(integers(4)[0]):
        tags = integers(integers(4)[3])
        points.update({tag: [float(next(words)) for _ in range(3)] for tag in tags})
    assert next(words) == "$EndNodes" and next(words) == "$Elements"
    place = {tag: i for i, tag in enumerate(sorted(points))}
    cells = []
    for _ in range(integers(4)[0]):
        _, _, kind, count = integers(4)
        name, size = {1: ("line", 2), 2: ("triangle", 3), 4: ("tetra", 4), 15: ("vertex", 1)}[kind]
        cells.append((name, np.array([[place[tag] for tag in integers(size + 1)[1:]] for _ in range(count)])))
    return meshio.Mesh(np.array([points[tag] for tag in sorted(points)]), cells)


class Run:
    """A finished run: times, positions, velocities, power of all points; rest mesh and points of each body."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        data = (self.folder / "frames.dpf").read_bytes()
        magic = b"dashpot frames 2\n"
        assert data.startswith(magic)
        (count,) = struct.unpack_from("<Q", data, len(magic))
        layout = np.dtype([("time", "<f8"), ("point", "<f4", (count, 7))])
        frames = np.frombuffer(data, layout, offset=len(magic) + 8)
        self.times = frames["time"].copy()
        self.positions = frames["point"][:, :, 0:3].astype(float)
        self.velocities = frames["point"][:, :, 3:6].astype(float)
        self.power = frames["point"][:, :, 6].astype(float)
        index = json.loads((self.folder / "recording.json").read_text())
        self.bodies = {}
        for entry in index["bodies"] + index["scenery"]:
            mesh = read_mesh(self.folder / entry["mesh"])
            first = int(entry["first_point"])
            self.bodies[entry["name"]] = (mesh, slice(first, first + len(mesh.points)))
        self.hash = json.loads((self.folder / "summary.json").read_text())["input"]["hash"]

    def at(self, time):
        """Positions and velocities of all points by the cubic Hermite interpolant, and linear power."""
        k = int(np.clip(np.searchsorted(self.times, time + 1e-12) - 1, 0, len(self.times) - 2))
        dt = self.times[k + 1] - self.times[k]
        s = (time - self.times[k]) / dt
        basis = np.polynomial.polynomial.Polynomial
        weights = [basis([1, 0, -3, 2]), basis([0, 1, -2, 1]) * dt, basis([0, 0, 3, -2]), basis([0, 0, -1, 1]) * dt]
        knots = [self.positions[k], self.velocities[k], self.positions[k + 1], self.velocities[k + 1]]
        x = sum(w(s) * knot for w, knot in zip(weights, knots))
        v = sum(w.deriv()(s) / dt * knot for w, knot in zip(weights, knots))
        return x, v, (1 - s) * self.power[k] + s * self.power[k + 1]

    def frame_times(self, fps):
        count = int(np.floor((self.times[-1] - self.times[0]) * fps + 1e-6)) + 1
        return self.times[0] + np.arange(count) / fps


def faces_of(mesh):
    """Boundary triangles of a mesh (six-node faces as four triangles), as a set of sorted node triples."""
    tets = [block.data for block in mesh.cells if block.type in ("tetra", "tetra10")]
    if not tets:
        return {tuple(sorted(t)) for block in mesh.cells if block.type == "triangle" for t in block.data}
    corner = {(0, 1): 4, (1, 2): 5, (0, 2): 6, (0, 3): 7, (1, 3): 8, (2, 3): 9}  # meshio's (VTK's) order
    count, pieces = {}, {}
    for tet in np.vstack(tets):
        for face in ((0, 1, 2), (0, 1, 3), (0, 2, 3), (1, 2, 3)):
            key = tuple(sorted(tet[list(face)]))
            count[key] = count.get(key, 0) + 1
            if len(tet) == 4:
                pieces[key] = [key]
            else:
                a, b, c = face
                ab, bc, ac = tet[corner[a, b]], tet[corner[b, c]], tet[corner[a, c]]
                a, b, c = tet[a], tet[b], tet[c]
                pieces[key] = [tuple(sorted(p)) for p in ((a, ab, ac), (b, ab, bc), (c, ac, bc), (ab, bc, ac))]
    return {piece for key, n in count.items() if n == 1 for piece in pieces[key]}


def skin_nodes(mesh):
    """Sorted nodes of boundary faces, edges and points: what is seen."""
    used = {node for face in faces_of(mesh) for node in face}
    for block in mesh.cells:
        if block.type in ("line", "vertex"):
            used.update(int(node) for node in block.data.ravel())
    return np.array(sorted(used))


def close(ours, expected, tolerance, what):
    ours, expected = np.asarray(ours, float), np.asarray(expected, float)
    assert ours.shape == expected.shape, f"{what}: shape {ours.shape}, expected {expected.shape}"
    worst = np.abs(ours - expected).max()
    assert worst <= tolerance, f"{what}: differs by {worst}, allowed {tolerance}"
    return worst


class Bench:
    """Runs dashpot in a folder of its own."""

    def __init__(self):
        if len(sys.argv) != 3:
            sys.exit(f"usage: {sys.argv[0]} DASHPOT FOLDER")
        self.program = sys.argv[1]
        self.folder = pathlib.Path(sys.argv[2])
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir(parents=True)

    def run(self, scene, name):
        path = self.folder / f"{name}.json"
        path.write_text(json.dumps(scene))
        self.dashpot("run", path, "--out", self.folder / name, "--quiet")
        run = Run(self.folder / name)
        moved = np.abs(run.positions - run.positions[0]).max()
        assert moved > 0.05 and len(run.times) > 10, "the run must move, else the checks say nothing"
        return run

    def export(self, run, out, *options):
        """Exports and returns the program's JSON report."""
        text = self.dashpot("export", run.folder, "-o", self.folder / out, "--json", "--quiet", *options)
        return json.loads(text)

    def dashpot(self, *arguments):
        result = subprocess.run([self.program, *map(str, arguments)], capture_output=True, text=True, check=False)
        assert result.returncode == 0, f"{arguments}: exit code {result.returncode}\n{result.stderr}"
        return result.stdout
