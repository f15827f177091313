#!/usr/bin/python3
"""Reads exported XDMF + HDF5 by meshio and h5py and compares topology, positions and fields with the recording."""
import xml.etree.ElementTree as ET

import h5py
import meshio
import numpy as np

from recorded_run import CROWD, Bench, close, single_body


def check_single(bench, elements, kind):
    run = bench.run(single_body(elements), elements)
    (mesh, points), = run.bodies.values()
    bench.export(run, f"{elements}.xdmf", "--fps", 50)
    times = run.frame_times(50)
    with meshio.xdmf.TimeSeriesReader(bench.folder / f"{elements}.xdmf") as reader:
        first, cells = reader.read_points_cells()
        (ours,) = cells
        (theirs,) = [block for block in mesh.cells if block.type == kind]
        assert ours.type == kind and np.array_equal(ours.data, theirs.data), "topology"
        close(first, run.positions[0], 3e-7, "positions of the first frame")
        assert reader.num_steps == len(times)
        for f, time in enumerate(times):
            t, node_data, cell_data = reader.read_data(f)
            x, v, power = run.at(time)
            assert abs(t - time) < 1e-12
            close(node_data["velocity"], v, 1e-6 * np.abs(v).max(), f"velocity at {time}")
            close(node_data["displacement"], x - mesh.points, 1e-6, f"displacement at {time}")
            close(node_data["power"], power, 1e-6 * max(np.abs(power).max(), 1e-30), f"power at {time}")
            assert set(node_data) == {"velocity", "displacement", "power", "body"} and "region" in cell_data
    with h5py.File(bench.folder / f"{elements}.h5") as h5:
        assert h5.attrs["scene_hash"].decode() == run.hash
        for f, time in enumerate(times):
            close(h5[f"frames/{f:05}/positions"][()], run.at(time)[0], 3e-7, f"positions at {time}")
    if elements == "tet4":
        with h5py.File(bench.folder / "tet4.h5") as h5:
            assert max(np.abs(h5[f"frames/{f:05}/power"][()]).max() for f in range(len(times))) > 1e-6, "power is lost"


def check_mixed(bench):
    """Several kinds of elements in one grid; meshio cannot read 10-node tets in mixed grids, so this is by hand."""
    run = bench.run(CROWD, "crowd")
    bench.export(run, "crowd.xdmf", "--every")
    grids = ET.parse(bench.folder / "crowd.xdmf").getroot().findall("Domain/Grid/Grid")
    assert len(grids) == len(run.times)
    sizes = {1: ("vertex", 1), 2: ("line", 2), 4: ("triangle", 3), 6: ("tetra", 4), 0x26: ("tetra10", 10)}
    with h5py.File(bench.folder / "crowd.h5") as h5:
        def item(element):
            node = element.find("DataItem")
            file, name = node.text.strip().split(":")
            assert file == "crowd.h5"
            data = h5[name][()]
            assert list(data.shape) == [int(d) for d in node.get("Dimensions").split()], name
            return data

        assert grids[0].find("Topology").get("TopologyType") == "Mixed"
        numbers, found, at, count = item(grids[0].find("Topology")), {}, 0, 0
        while at < len(numbers):
            kind, n = sizes[numbers[at]]
            at += 1
            if kind in ("vertex", "line"):
                assert numbers[at] == n
                at += 1
            found.setdefault(kind, []).append(list(numbers[at:at + n]))
            at, count = at + n, count + 1
        assert count == int(grids[0].find("Topology").get("NumberOfElements"))
        for kind in ("tetra", "tetra10", "line"):
            expected = [list(cell + points.start) for mesh, points in run.bodies.values()
                        for block in mesh.cells if block.type == kind for cell in block.data]
            assert found.pop(kind) == expected and expected, kind
        assert not found
        for f, grid in enumerate(grids):
            assert abs(float(grid.find("Time").get("Value")) - run.times[f]) < 1e-12
            close(item(grid.find("Geometry")), run.positions[f], 0, f"positions of frame {f}")
            body = {a.get("Name"): item(a) for a in grid.findall("Attribute")}["body"]
            for number, (_, points) in enumerate(run.bodies.values()):
                assert (body[points] == number).all()


bench = Bench()
check_single(bench, "tet4", "tetra")
check_single(bench, "tet10", "tetra10")
check_mixed(bench)
print("xdmf: topology, positions and fields equal the recording")
