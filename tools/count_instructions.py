#!/usr/bin/env python3
"""Instructions of a step of a large cloth by damping (B-overhead's bodies), counted by valgrind: times depend on what else
a machine does, these do not.

  tools/count_instructions.py [--program build/bin/dashpot] [--cells 101] [--steps 4]

Each scene is run on one thread with N and 2N steps; the difference is what N steps take, without the start and the end of
the program, and of its first steps, in which the solver chooses its method. Prints a line a damping and, as last line,
strain rate over Rayleigh. Takes some minutes.
"""
import argparse
import json
import os
import re
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DT = 1.6e-3
DAMPINGS = {
    "strain rate, symmetric": [{"model": "strain_rate", "beta": "2 ms", "tangent": "symmetric"}],
    "Rayleigh": [{"model": "rayleigh", "beta": "2 ms", "stiffness": "projected_tangent"}],
    "strain rate, corotational": [{"model": "strain_rate", "beta": "2 ms", "tangent": "symmetric", "metric": "corotational"}],
    "no damping": [],
}


def scene(damping, cells, steps):
    return {
        "dashpot": 1,
        "gravity": [0, -9.81, 0],
        "time": {"dt": DT, "end": steps * DT, "stepper": "backward_euler"},
        "solver": {"newton": {"fixed_iterations": 1}},
        "bodies": [{
            "name": "cloth",
            "mesh": {"cloth": {"size": [1, 1], "cells": [cells, cells]}},
            "material": {"model": "cloth", "young": "500 kPa", "thickness": "1 mm", "density": 200, "bending": "1e-6 J"},
            "damping": damping,
            "pins": [{"where": {"box": [[-1, -1, -1], [1e-6, 1, 1]]}}],
        }],
        "record": {"every": 2 * steps * DT},
    }


def count(program, document, folder):
    """Instructions of a whole run."""
    path = os.path.join(folder, "scene.json")
    with open(path, "w") as file:
        json.dump(document, file)
    out = os.path.join(folder, "run")
    result = subprocess.run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", program, "run", path, "--out", out,
                             "--force", "--threads", "1", "--quiet"], capture_output=True, text=True)
    found = re.search(r"Collected : (\d+)", result.stderr)
    if result.returncode != 0 or found is None:
        sys.exit(f"count_instructions: the run ended with {result.returncode}\n{result.stderr[-2000:]}")
    return int(found.group(1))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--program", default=os.path.join(ROOT, "build/bin/dashpot"))
    parser.add_argument("--cells", type=int, default=101)
    parser.add_argument("--steps", type=int, default=4)
    options = parser.parse_args()
    a_step = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, damping in DAMPINGS.items():
            counts = [count(options.program, scene(damping, options.cells, steps), folder)
                      for steps in (options.steps, 2 * options.steps)]
            a_step[name] = (counts[1] - counts[0]) / options.steps
            print(f"{name:28} {a_step[name] / 1e6:10.1f} million instructions a step", flush=True)
    print(f"strain rate over Rayleigh: {a_step['strain rate, symmetric'] / a_step['Rayleigh']:.4f}")


if __name__ == "__main__":
    main()
