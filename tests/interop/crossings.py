#!/usr/bin/python3
"""Edges of cloth that go through its triangles, found without any of Dashpot's code: every pair that shares a cell of a
grid is looked at, in plain double precision. Usage: crossings.py RUN [BODY ...]; exit code 1 when some are found.
"""
import sys

import numpy as np

from recorded_run import Run


def sheet_of(run, names):
    """Triangles and edges of these bodies, by point of the recording."""
    triangles = np.vstack([block.data + points.start for name, (mesh, points) in run.bodies.items() if name in names
                           for block in mesh.cells if block.type == "triangle"])
    sides = np.sort(np.vstack([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
    return triangles, np.unique(sides, axis=0)


def cells_of(corners, size):
    """(cell, element) for every cell of the grid that the box around an element reaches."""
    low = np.floor(corners.min(axis=1) / size).astype(np.int64)
    count = np.floor(corners.max(axis=1) / size).astype(np.int64) - low + 1
    of_element = np.repeat(np.arange(len(corners)), count.prod(axis=1))
    start = np.repeat(np.cumsum(count.prod(axis=1)) - count.prod(axis=1), count.prod(axis=1))
    index, n = np.arange(len(of_element)) - start, count[of_element]
    cell = low[of_element] + np.stack([index % n[:, 0], index // n[:, 0] % n[:, 1], index // (n[:, 0] * n[:, 1])], axis=1)
    key = (cell[:, 0] << 42) + (cell[:, 1] << 21) + cell[:, 2]
    return key, of_element


def near_pairs(x, edges, triangles):
    """Every (edge, triangle) with a common cell of the grid and no common node, each once."""
    size = 1.5 * np.linalg.norm(x[edges[:, 0]] - x[edges[:, 1]], axis=1).max()
    edge_key, edge = cells_of(x[edges], size)
    triangle_key, triangle = cells_of(x[triangles], size)
    order = np.argsort(triangle_key, kind="stable")
    triangle_key, triangle = triangle_key[order], triangle[order]
    first = np.searchsorted(triangle_key, edge_key, "left")
    count = np.searchsorted(triangle_key, edge_key, "right") - first
    e = np.repeat(edge, count)
    offset = np.arange(len(e)) - np.repeat(np.cumsum(count) - count, count)
    t = triangle[np.repeat(first, count) + offset]
    apart = (edges[e][:, :, None] != triangles[t][:, None, :]).all(axis=(1, 2))
    return np.unique(np.stack([e[apart], t[apart]], axis=1), axis=0).T


def crossings(x, edges, triangles):
    """Pairs (edge, triangle) where the edge goes through: its ends lie on two sides of the plane, by more than positions in
    single precision may be off, and its line passes the three sides of the triangle the same way round."""
    e, t = near_pairs(x, edges, triangles)
    p, q = x[edges[e, 0]], x[edges[e, 1]]
    a, b, c = (x[triangles[t, k]] for k in range(3))

    def volume(o, u, v, w):
        return np.einsum("ij,ij->i", u - o, np.cross(v - o, w - o))

    area = np.linalg.norm(np.cross(b - a, c - a), axis=1)
    below, above = volume(a, b, c, p) / area, volume(a, b, c, q) / area
    two_sides = (below * above < 0) & (np.minimum(np.abs(below), np.abs(above)) > 1e-6 * np.abs(x).max())
    around = np.sign(np.stack([volume(p, q, a, b), volume(p, q, b, c), volume(p, q, c, a)]))
    through = two_sides & (np.abs(around.sum(axis=0)) == 3)
    return np.stack([e[through], t[through]], axis=1), len(e)


def main():
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    run = Run(sys.argv[1])
    triangles, edges = sheet_of(run, sys.argv[2:] or list(run.bodies)[:1])
    found = looked_at = 0
    for x in run.positions:
        pairs, count = crossings(x, edges, triangles)
        found, looked_at = found + len(pairs), looked_at + count
    print(f"{len(run.times)} frames, {len(triangles)} triangles, {looked_at} pairs looked at: {found} edges through triangles")
    sys.exit(1 if found else 0)


if __name__ == "__main__":
    main()
