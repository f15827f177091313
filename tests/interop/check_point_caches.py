#!/usr/bin/python3
"""Reads exported .pc2 and .mdd files by struct and numpy and compares every position with frames.dpf."""
import struct

import meshio
import numpy as np

from recorded_run import CROWD, Bench, close, single_body, skin_nodes


def read_pc2(path):
    data = path.read_bytes()
    magic, version, points, start, rate, samples = struct.unpack_from("<12siiffi", data)
    assert magic == b"POINTCACHE2\0" and version == 1
    assert len(data) == 32 + 12 * points * samples
    return start + rate * np.arange(samples), np.frombuffer(data, "<f4", offset=32).reshape(samples, points, 3)


def read_mdd(path):
    data = path.read_bytes()
    frames, points = struct.unpack_from(">ii", data)
    assert len(data) == 8 + 4 * frames + 12 * points * frames
    times = np.frombuffer(data, ">f4", frames, offset=8)
    return times, np.frombuffer(data, ">f4", offset=8 + 4 * frames).reshape(frames, points, 3)


def main():
    bench = Bench()
    run = bench.run(single_body("tet4"), "bar")
    mesh, points = run.bodies["pinned-bar"]
    skin = skin_nodes(mesh)
    assert 0 < len(skin) < len(mesh.points)

    bench.export(run, "bar.pc2", "--fps", 30)
    frames, x = read_pc2(bench.folder / "bar.pc2")
    close(frames, run.frame_times(30) * 30, 1e-5, "pc2 frame numbers")
    for f, time in enumerate(run.frame_times(30)):
        close(x[f], run.at(time)[0][points][skin], 3e-7, f"pc2 positions at {time} s")
    obj = meshio.read(bench.folder / "bar_points.obj")
    close(obj.points, run.positions[0][points][skin], 3e-7, "points of the .obj beside the cache")

    bench.export(run, "bar.mdd", "--every", "--points", "all")
    times, x = read_mdd(bench.folder / "bar.mdd")
    close(times, run.times, 1e-6, "mdd times")
    close(x, run.positions[:, points], 0, "mdd positions, bit for bit")

    run = bench.run(CROWD, "crowd")
    bench.export(run, "caches", "--format", "pc2", "--every")
    for name, file in (("pinned-bar", "pinned_bar"), ("flying", "flying"), ("rope", "rope")):
        mesh, points = run.bodies[name]
        _, x = read_pc2(bench.folder / "caches" / f"{file}.pc2")
        close(x, run.positions[:, points][:, skin_nodes(mesh)], 0, f"pc2 of {name}")
    print("point caches: equal to the recording")


main()
