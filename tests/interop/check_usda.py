#!/usr/bin/python3
"""Parses exported .usda files with a small strict reader and compares points, velocities and extents with the recording.

Debian has no USD package. This reader knows the part of the grammar that the exporter uses and refuses everything else:
tokens, balanced brackets, declared types, tuple and array sizes, time samples in increasing order.
"""
import re

import numpy as np

from recorded_run import CROWD, Bench, close, faces_of, skin_nodes

TOKEN = re.compile(r'\s*(?:(?P<string>"(?:[^"\\\n]|\\.)*")|(?P<path><[^<>\s]*>)|'
                   r'(?P<number>-?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)(?![\w.])|'
                   r'(?P<word>[A-Za-z_][\w:.]*(?:\[\])?)|(?P<mark>[(){}\[\]=,:;]))')
TYPES = {"point3f[]": 3, "vector3f[]": 3, "float3[]": 3, "color3f[]": 3, "color3f": 3, "int[]": 1, "float[]": 1,
         "float": 1, "token": 0, "string": 0, "bool": 1}


class Parser:
    def __init__(self, text):
        assert text.startswith("#usda 1.0\n")
        self.tokens, at = [], len("#usda 1.0\n")
        text = text.rstrip()
        while at < len(text):
            match = TOKEN.match(text, at)
            assert match, f"not USD at {text[at:at + 60]!r}"
            self.tokens.append((match.lastgroup, match.group(match.lastgroup)))
            at = match.end()
        self.at = 0

    def peek(self):
        return self.tokens[self.at][1] if self.at < len(self.tokens) else None

    def take(self, *expected):
        kind, text = self.tokens[self.at]
        assert not expected or text in expected or kind in expected, f"found {text!r}, expected {expected}"
        self.at += 1
        return text

    def value(self):
        kind, text = self.tokens[self.at]
        if text in "[(":
            close_mark, items = {"[": "]", "(": ")"}[self.take()], []
            while self.peek() != close_mark:
                items.append(self.value())
                if self.peek() != close_mark:
                    self.take(",")
            self.take(close_mark)
            return tuple(items) if close_mark == ")" else items
        self.at += 1
        assert kind in ("number", "string", "path"), text
        return float(text) if kind == "number" else text[1:-1]

    def metadata(self):
        """( name = value ... ): of the layer, a prim or an attribute."""
        entries = {}
        if self.peek() != "(":
            return entries
        self.take("(")
        while self.peek() != ")":
            name = self.take("word")
            if name == "prepend":
                name = self.take("word")
            self.take("=")
            if self.peek() == "{":
                self.take()
                entries[name] = {}
                while self.peek() != "}":
                    assert self.take("word") == "string"
                    key = self.take("word")
                    self.take("=")
                    entries[name][key] = self.take("string")[1:-1]
                self.take("}")
            else:
                entries[name] = self.value()
        self.take(")")
        return entries

    def samples(self):
        self.take("{")
        result = []
        while self.peek() != "}":
            code = float(self.take("number"))
            assert not result or code > result[-1][0], "time samples must increase"
            self.take(":")
            result.append((code, self.value()))
            self.take(",")
        self.take("}")
        return result

    def prim(self, parent, stage):
        self.take("def")
        kind, name = self.take("Xform", "Mesh", "BasisCurves", "Points", "Scope", "Material", "Shader"), self.take("string")
        assert re.fullmatch(r'"[A-Za-z_]\w*"', name), name
        path = f"{parent}/{name[1:-1]}"
        assert path not in stage, "prim names must be unique"
        stage[path] = {"type": kind, "metadata": self.metadata(), "attributes": {}}
        self.take("{")
        while self.peek() != "}":
            self.prim(path, stage) if self.peek() == "def" else self.attribute(stage[path]["attributes"])
        self.take("}")

    def attribute(self, attributes):
        word = self.take("word")
        if word == "uniform":
            word = self.take("word")
        assert word in TYPES or word == "rel", f"unknown type {word}"
        name = self.take("word")
        assert name not in attributes
        if self.peek() != "=":
            attributes[name] = None
            return
        self.take("=")
        if name.endswith(".timeSamples"):
            attributes[name] = self.samples()
            values = [item for _, value in attributes[name] for item in value]
        else:
            attributes[name] = self.value()
            values = attributes[name] if word.endswith("[]") else [attributes[name]]
        if TYPES.get(word, 0) == 3:
            assert all(isinstance(v, tuple) and len(v) == 3 for v in values), name
        elif TYPES.get(word, 0) == 1:
            assert all(isinstance(v, float) for v in values), name
        self.metadata()

    def stage(self):
        layer, stage = self.metadata(), {}
        while self.peek() is not None:
            self.prim("", stage)
        return layer, stage


def check_part(stage, path, run, points, nodes, times, fps):
    attributes = stage[path]["attributes"]
    for name, which in (("points", 0), ("velocities", 1)):
        samples = attributes[f"{name}.timeSamples"]
        close([code for code, _ in samples], times * fps, 1e-6, f"time codes of {path}")
        for (_, value), time in zip(samples, times):
            expected = run.at(time)[which][points][nodes]
            close(value, expected, 1e-6 * max(1, np.abs(expected).max()), f"{name} of {path} at {time}")
    for (_, box), (_, value) in zip(attributes["extent.timeSamples"], attributes["points.timeSamples"]):
        low, high = np.min(value, axis=0), np.max(value, axis=0)
        margin = attributes.get("widths", [0])[0] / 2
        close(box, [low - margin, high + margin], 1e-6, f"extent of {path}")
    target = attributes["material:binding"]
    assert stage[target]["type"] == "Material"
    shader = stage[target]["attributes"]["outputs:surface.connect"]
    assert "outputs:surface" in stage[shader.rsplit(".", 1)[0]]["attributes"]


def main():
    bench = Bench()
    run = bench.run(CROWD, "crowd")
    for fps, options, times in ((24, [], run.frame_times(24)), (24, ["--every"], run.times)):
        bench.export(run, "crowd.usda", *options)
        layer, stage = Parser((bench.folder / "crowd.usda").read_text()).stage()
        assert layer["metersPerUnit"] == 1 and layer["upAxis"] == "Y" and layer["timeCodesPerSecond"] == fps
        close([layer["startTimeCode"], layer["endTimeCode"]], [times[0] * fps, times[-1] * fps], 1e-6, "time codes")
        assert layer["customLayerData"]["sceneHash"] == run.hash and f"/{layer['defaultPrim']}" in stage
        for name, prim in (("pinned-bar", "pinned_bar"), ("flying", "flying")):
            mesh, points = run.bodies[name]
            skin = skin_nodes(mesh)
            check_part(stage, f"/run/{prim}/surface", run, points, skin, times, fps)
            attributes = stage[f"/run/{prim}/surface"]["attributes"]
            counts, corners = attributes["faceVertexCounts"], np.array(attributes["faceVertexIndices"], int)
            assert set(counts) == {3.0} and len(corners) == 3 * len(counts)
            assert {tuple(sorted(skin[t])) for t in corners.reshape(-1, 3)} == faces_of(mesh)
            # Outward: the signed volume of the closed surface is that of the body.
            x = np.array(attributes["points.timeSamples"][0][1])[corners.reshape(-1, 3)]
            volume = np.einsum("ij,ij->i", x[:, 0], np.cross(x[:, 1], x[:, 2])).sum() / 6
            assert abs(volume - (0.04 if name == "pinned-bar" else 0.002)) < 1e-6, volume
        mesh, points = run.bodies["rope"]
        (edges,) = [block.data for block in mesh.cells if block.type == "line"]
        check_part(stage, "/run/rope/edges", run, points, edges.ravel(), times, fps)
        assert stage["/run/rope/edges"]["attributes"]["curveVertexCounts"] == [2.0] * len(edges)

    sideways = dict(CROWD, gravity=[0, 0, -9.81])
    run = bench.run(sideways, "sideways")
    bench.export(run, "sideways.usda")
    assert Parser((bench.folder / "sideways.usda").read_text()).stage()[0]["upAxis"] == "Z"
    print("usda: well-formed; points, velocities, extents and faces equal the recording")


main()
