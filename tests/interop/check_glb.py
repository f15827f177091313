#!/usr/bin/python3
"""Reads exported .glb files by hand: checks the rules of glTF 2.0 that concern them, rebuilds every frame from base,
morph targets, weights and node motion, and compares the distance from the recording with the stated error."""
import json
import struct

import numpy as np

from recorded_run import CROWD, Bench, close, faces_of, skin_nodes

COMPONENT = {5121: np.dtype("<u1"), 5123: np.dtype("<u2"), 5125: np.dtype("<u4"), 5126: np.dtype("<f4")}
WIDTH = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}


class Glb:
    def __init__(self, path):
        data = path.read_bytes()
        magic, version, length = struct.unpack_from("<4sII", data)
        assert magic == b"glTF" and version == 2 and length == len(data)
        size, kind = struct.unpack_from("<I4s", data, 12)
        assert kind == b"JSON" and size % 4 == 0
        self.json = json.loads(data[20:20 + size])
        size_bin, kind = struct.unpack_from("<I4s", data, 20 + size)
        assert kind == b"BIN\0" and size_bin % 4 == 0 and 28 + size + size_bin == len(data)
        self.bin = data[28 + size:]
        (buffer,) = self.json["buffers"]
        assert "uri" not in buffer and len(self.bin) - 3 <= buffer["byteLength"] <= len(self.bin)
        assert self.json["asset"]["version"] == "2.0"
        self.uses = {}
        self.arrays = [self.accessor(i) for i in range(len(self.json["accessors"]))]

    def accessor(self, i):
        accessor = self.json["accessors"][i]
        view = self.json["bufferViews"][accessor["bufferView"]]
        component, width = COMPONENT[accessor["componentType"]], WIDTH[accessor["type"]]
        offset = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        assert offset % component.itemsize == 0 and offset % 4 == 0, "alignment"
        assert accessor["count"] >= 1
        length = accessor["count"] * width * component.itemsize
        assert accessor.get("byteOffset", 0) + length <= view["byteLength"]
        assert view.get("byteOffset", 0) + view["byteLength"] <= len(self.bin)
        values = np.frombuffer(self.bin, component, accessor["count"] * width, offset).reshape(-1, width)
        assert np.isfinite(values).all()
        for key, bound in (("min", values.min(axis=0)), ("max", values.max(axis=0))):
            if key in accessor:
                assert np.array_equal(np.array(accessor[key], component), bound), f"{key} of accessor {i}"
        return values

    def check_rules(self):
        j = self.json
        for mesh in j["meshes"]:
            counts = {len(p.get("targets", [])) for p in mesh["primitives"]}
            assert len(counts) == 1 and len(mesh.get("weights", [])) in (0, *counts)
            for primitive in mesh["primitives"]:
                vertices = len(self.arrays[primitive["attributes"]["POSITION"]])
                for attributes in [primitive["attributes"], *primitive.get("targets", [])]:
                    assert set(attributes) <= {"POSITION", "NORMAL"}
                    for name, index in attributes.items():
                        accessor = j["accessors"][index]
                        assert accessor["type"] == "VEC3" and accessor["componentType"] == 5126
                        assert accessor["count"] == vertices
                        assert name != "POSITION" or ("min" in accessor and "max" in accessor)
                        assert j["bufferViews"][accessor["bufferView"]]["target"] == 34962
                if "NORMAL" in primitive["attributes"]:
                    lengths = np.linalg.norm(self.arrays[primitive["attributes"]["NORMAL"]], axis=1)
                    assert np.abs(lengths - 1).max() < 1e-5, "normals have unit length"
                indices = self.arrays[primitive["indices"]]
                assert indices.max() < vertices and primitive["mode"] in (0, 1, 4)
                assert len(indices) % {0: 1, 1: 2, 4: 3}[primitive["mode"]] == 0
                assert j["bufferViews"][j["accessors"][primitive["indices"]]["bufferView"]]["target"] == 34963
                assert primitive["material"] < len(j["materials"])
        children = [c for node in j["nodes"] for c in node.get("children", [])]
        assert len(children) == len(set(children)) and not set(children) & set(j["scenes"][0]["nodes"])
        for animation in j.get("animations", []):
            targets = [(c["target"]["node"], c["target"]["path"]) for c in animation["channels"]]
            assert len(targets) == len(set(targets))
            for channel in animation["channels"]:
                sampler = animation["samplers"][channel["sampler"]]
                times, accessor = self.arrays[sampler["input"]].ravel(), j["accessors"][sampler["input"]]
                assert "min" in accessor and "max" in accessor and accessor["componentType"] == 5126
                assert times[0] >= 0 and (np.diff(times) > 0).all()
                each = 1
                if channel["target"]["path"] == "weights":
                    mesh = j["meshes"][j["nodes"][channel["target"]["node"]]["mesh"]]
                    each = len(mesh["primitives"][0]["targets"])
                assert len(self.arrays[sampler["output"]]) == len(times) * each
                assert sampler["interpolation"] == "LINEAR"

    def frames(self, name):
        """Positions of the body at each key, in the root's axes; and its triangles."""
        j = self.json
        (number,) = [i for i, node in enumerate(j["nodes"]) if node["name"] == name and "mesh" in node]
        primitive = j["meshes"][j["nodes"][number]["mesh"]]["primitives"][0]
        base = self.arrays[primitive["attributes"]["POSITION"]].astype(float)
        targets = [self.arrays[t["POSITION"]].astype(float) for t in primitive.get("targets", [])]
        tracks, times = {}, np.zeros(1)
        for animation in j.get("animations", []):
            times = self.arrays[animation["samplers"][0]["input"]].ravel()
            for channel in animation["channels"]:
                if channel["target"]["node"] == number:  # a body without channels stays in its base shape
                    sampler = animation["samplers"][channel["sampler"]]
                    tracks[channel["target"]["path"]] = self.arrays[sampler["output"]].astype(float)
        shapes = []
        for f in range(len(times)):
            x = base.copy()
            if targets:
                for weight, target in zip(tracks["weights"].reshape(len(times), -1)[f], targets):
                    x += weight * target
            if "rotation" in tracks:
                q = tracks["rotation"][f]
                assert abs(np.linalg.norm(q) - 1) < 1e-5
                u, w = q[:3] / np.linalg.norm(q), q[3] / np.linalg.norm(q)
                t = 2 * np.cross(u, x)
                x = x + w * t + np.cross(u, t) + tracks["translation"][f]
            shapes.append(x)
        return times, np.array(shapes), self.arrays[primitive["indices"]].ravel(), primitive


def compare(glb, run, fps, stated):
    """The measured errors of each body must be those that the file and the program state."""
    times = run.frame_times(fps)
    for entry in glb.json["asset"]["extras"]["reconstruction"]:
        mesh, points = run.bodies[entry["body"]]
        skin = skin_nodes(mesh)
        keys, shapes, indices, primitive = glb.frames(entry["body"])
        close(keys, times - times[0], 1e-6, "key times")
        truth = np.array([run.at(time)[0][points][skin] for time in times])
        distance = np.linalg.norm(shapes - truth, axis=2)
        size = np.abs(truth).max()
        rest = np.linalg.norm(np.ptp(mesh.points, axis=0))
        if rest > 0:
            close(entry["relative_error"], distance.max() / rest, 1e-6 * size / rest, f"error of {entry['body']}")
        close(entry["rms_error_m"], np.sqrt((distance**2).mean()), 1e-6 * size, f"rms error of {entry['body']}")
        close(entry["max_error_m"], distance.max(), 1e-6 * size, f"max error of {entry['body']}")
        assert entry in stated
        if primitive["mode"] == 4:
            assert {tuple(sorted(skin[t])) for t in indices.reshape(-1, 3)} == faces_of(mesh)
            check_normals(glb, primitive, shapes, indices.reshape(-1, 3), entry)


def check_normals(glb, primitive, shapes, triangles, entry):
    """Morphed normals (in the node's axes) of a body that is not turned follow the surface within some degrees."""
    if entry["rigid_motion"] or len(shapes) < 2:
        return
    base = glb.arrays[primitive["attributes"]["NORMAL"]].astype(float)
    x = shapes[0]
    face = np.cross(x[triangles[:, 1]] - x[triangles[:, 0]], x[triangles[:, 2]] - x[triangles[:, 0]])
    exact = np.zeros_like(x)
    for corner in range(3):
        np.add.at(exact, triangles[:, corner], face)
    exact /= np.linalg.norm(exact, axis=1)[:, None]
    mesh = next(m for m in glb.json["meshes"] if primitive in m["primitives"])
    n = base + sum(w * glb.arrays[t["NORMAL"]] for w, t in zip(mesh["weights"], primitive["targets"]))
    n /= np.linalg.norm(n, axis=1)[:, None]
    assert np.einsum("ij,ij->i", n, exact).min() > 0.97, "normals of the first frame"


def main():
    bench = Bench()
    run = bench.run(CROWD, "crowd")
    errors = {}
    for options in ([], ["--morphs", 1], ["--morphs", 0], ["--morph-error", 1e-4]):
        report = bench.export(run, "crowd.glb", "--fps", 30, *options)
        glb = Glb(bench.folder / "crowd.glb")
        glb.check_rules()
        assert glb.json["asset"]["extras"]["scene_hash"] == run.hash
        compare(glb, run, 30, report["morphs"])
        errors[str(options)] = [m["relative_error"] for m in report["morphs"]]
        if options == ["--morphs", 1]:
            assert all(m["morph_targets"] == 1 for m in report["morphs"])
        if options == ["--morphs", 0]:
            assert all(m["morph_targets"] == 0 for m in report["morphs"])
    assert max(errors["[]"]) <= 0.001 and max(errors["['--morph-error', 0.0001]"]) <= 1e-4
    assert max(errors["['--morphs', 1]"]) > 1e-3, "one target is not exact"

    report = bench.export(run, "still.glb", "--time", "0.1 s", "--body", "flying")
    glb = Glb(bench.folder / "still.glb")
    glb.check_rules()
    assert "animations" not in glb.json and report["morphs"][0]["morph_targets"] == 0
    mesh, points = run.bodies["flying"]
    close(glb.frames("flying")[1][0], run.at(0.1)[0][points][skin_nodes(mesh)], 3e-7, "one instant")
    print("glb: the rules hold; every frame is rebuilt within the stated error", errors)


main()
