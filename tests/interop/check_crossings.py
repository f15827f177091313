#!/usr/bin/python3
"""A cloth that falls on itself crosses nowhere, as seen by a program that is not ours; the same run with its contact taken
away does."""
import numpy as np

from crossings import crossings, near_pairs, sheet_of
from recorded_run import Bench

# A triangle that is pierced, missed, and touched in its plane's extension alone.
pierced = np.array([[0, 0, 0], [1, 0, 0], [0, 1, 0], [0.2, 0.3, -1], [0.2, 0.3, 1], [0.8, 0.8, -1], [0.8, 0.8, 1.0]])
found, _ = crossings(pierced, np.array([[3, 4], [5, 6], [0, 1]]), np.array([[0, 1, 2]]))
assert found.tolist() == [[0, 0]]

# The grid leaves out no pair that is near.
random = np.random.default_rng(3)
points = random.random((300, 3))
triangles = np.arange(300).reshape(100, 3)
points[triangles[:, 1]] = points[triangles[:, 0]] + 0.2 * random.standard_normal((100, 3))
points[triangles[:, 2]] = points[triangles[:, 0]] + 0.2 * random.standard_normal((100, 3))
edges = np.sort(triangles[:, [0, 1]], axis=1)
found, _ = crossings(points, edges, triangles)
every = [(e, t) for e in range(100) for t in range(100) if e != t]
assert {tuple(pair) for pair in near_pairs(points, edges, triangles).T} <= set(every)


def goes_through(p, q, a, b, c):
    """By solving for the point where the line meets the plane."""
    try:
        s, u, v = np.linalg.solve(np.stack([p - q, b - a, c - a], axis=1), p - a)
    except np.linalg.LinAlgError:
        return False
    return 0 < s < 1 and u > 0 and v > 0 and u + v < 1


expected = {(e, t) for e, t in every if goes_through(*points[edges[e]], *points[triangles[t]])}
assert len(expected) > 10 and {tuple(pair) for pair in found} == expected

bench = Bench()
scene = {
    "dashpot": 1,
    "gravity": [0, -9.81, 0],
    "time": {"dt": "4 ms", "end": "0.6 s", "stepper": "backward_euler"},
    "solver": {"newton": {"fixed_iterations": 1, "tangent": "projected"}},
    "bodies": [{
        "name": "cloth",
        "mesh": {"cloth": {"size": [0.3, 0.6], "cells": [9, 18]}},
        "place": {"rotate": ["85 deg", 0, 0], "translate": [0, 0.75, 0]},
        "material": {"model": "cloth", "young": "300 kPa", "thickness": "1 mm", "density": 300, "bending": "1e-5 J"},
        "damping": [{"model": "strain_rate", "viscosity": "1 kPa s", "tangent": "symmetric"}],
    }],
    "colliders": [{"plane": {"point": [0, 0, 0], "normal": [0, 1, 0], "friction": 0.4, "stiffness": "100 kPa/m"}}],
    "contacts": [{"between": ["cloth", "cloth"], "thickness": "1 cm"}],
    "record": {"every": "4 ms"},
}
counts = {}
for name in ("touching", "passing"):
    if name == "passing":
        scene = dict(scene, contacts=[])
    run = bench.run(scene, name)
    triangles, edges = sheet_of(run, ["cloth"])
    counts[name] = sum(len(crossings(x, edges, triangles)[0]) for x in run.positions)
assert counts["touching"] == 0 and counts["passing"] > 10, counts
print("no crossings with contact,", counts["passing"], "without")
