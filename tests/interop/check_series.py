#!/usr/bin/python3
"""Reads exported .vtu and .obj series by meshio and compares them with the recording."""
import xml.etree.ElementTree as ET

import meshio
import numpy as np

from recorded_run import CROWD, Bench, close, faces_of, skin_nodes

bench = Bench()
run = bench.run(CROWD, "crowd")
times = run.frame_times(25)

bench.export(run, "crowd.pvd", "--fps", 25)
entries = ET.parse(bench.folder / "crowd.pvd").getroot().findall("Collection/DataSet")
assert len(entries) == len(times)
for entry, time in zip(entries, times):
    assert abs(float(entry.get("timestep")) - time) < 1e-12
    grid = meshio.read(bench.folder / entry.get("file"))
    x, v, power = run.at(time)
    close(grid.points, x, 1e-12, f"vtu positions at {time}")
    close(grid.point_data["velocity"], v, 1e-10, f"vtu velocity at {time}")
    close(grid.point_data["power"].ravel(), power, 1e-10, f"vtu power at {time}")
    rest = np.vstack([mesh.points for mesh, _ in run.bodies.values()])
    close(grid.point_data["displacement"], x - rest, 1e-12, f"vtu displacement at {time}")
    for kind in ("tetra", "tetra10", "line"):
        ours = [list(cell) for block in grid.cells if block.type == kind for cell in block.data]
        expected = [list(cell + points.start) for mesh, points in run.bodies.values()
                    for block in mesh.cells if block.type == kind for cell in block.data]
        assert ours == expected and expected, kind

bench.export(run, "frames", "--format", "obj", "--fps", 25)
for name, file in (("pinned-bar", "pinned_bar"), ("flying", "flying"), ("rope", "rope")):
    mesh, points = run.bodies[name]
    skin = skin_nodes(mesh)
    topology = None
    for f, time in enumerate(times):
        path = bench.folder / "frames" / f"{file}_{f:05}.obj"
        lines = [line.split() for line in path.read_text().splitlines()]
        x = [[float(word) for word in line[1:]] for line in lines if line and line[0] == "v"]
        close(x, run.at(time)[0][points][skin], 1e-12, f"obj positions of {name} at {time}")
        elements = [[line[0]] + [int(word) for word in line[1:]] for line in lines if line and line[0] in ("f", "l")]
        assert topology in (None, elements), "the topology must not change"
        topology = elements
    faces = {tuple(sorted(skin[i - 1] for i in e[1:])) for e in topology if e[0] == "f"}
    assert faces == faces_of(mesh), f"faces of {name}"
    assert len(topology) == (6 if name == "rope" else len(faces))

bench.export(run, "still.obj", "--time", "0.1 s", "--body", "flying")
mesh, points = run.bodies["flying"]
close(meshio.read(bench.folder / "still.obj").points, run.at(0.1)[0][points][skin_nodes(mesh)], 1e-12, "one instant")
print("vtu and obj series: equal to the recording")
