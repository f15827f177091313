#!/usr/bin/env python3
"""Runs the reproductions and writes docs/evidence.md from what they found.

  tools/evidence.py [NAME ...]   runs those (default: all) that have no result of the present sources, then writes the page
  tools/evidence.py --page       writes the page only

Build first. Results are kept as OUT/<name>/result.json, with OUT/<name>/sources.json that says of which sources they are: a
hash of all files that the program is made of, without comments and layout, so that a change of a page, a comment or the
formatting does not run everything again. A run that is
interrupted goes on when it is called again. Lines of other sources are marked. Exit code 1: a claim is missed, or a
reproduction has no result.
"""
import argparse
import concurrent.futures
import hashlib
import json
import math
import os
import subprocess
import sys
import threading
import time

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VERDICTS = {
    "holds": "holds",
    "not_met": "**not met**",
    "not_reproduced": "**not reproduced on our body**",
    "refuted": "refuted",
    "not_judged": "not judged",
}


SOURCES = ["src", "apps", "experiments", "assets", "cmake", "CMakeLists.txt"]


def git(*arguments):
    return subprocess.run(["git", "-C", ROOT, *arguments], capture_output=True, text=True, check=True).stdout


def what_counts(path):
    """The bytes of a file; of C++ without comments and white space, which the compiler does not see either."""
    with open(path, "rb") as file:
        content = file.read()
    if not path.endswith((".cpp", ".hpp")):
        return content
    plain = subprocess.run(["g++", "-x", "c++", "-fpreprocessed", "-dD", "-E", "-P", path], capture_output=True, check=True)
    return b"".join(plain.stdout.split())


def present_sources(folders):
    """What the program is made of: a hash of all its files, and the commit they belong to."""
    digest = hashlib.sha256()
    paths = sorted(git("ls-files", "-co", "--exclude-standard", *folders).splitlines())
    paths = [path for path in paths if os.path.isfile(os.path.join(ROOT, path))]
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for path, content in zip(paths, pool.map(lambda path: what_counts(os.path.join(ROOT, path)), paths)):
            digest.update(path.encode() + b"\0" + hashlib.sha256(content).digest())
    commit = git("rev-parse", "--short=12", "HEAD").strip()
    changed = git("status", "--porcelain", "--", *folders).strip()
    return {"hash": digest.hexdigest(), "commit": commit + ("-dirty" if changed else "")}


def read_json(path):
    try:
        with open(path) as file:
            return json.load(file)
    except (OSError, ValueError):
        return None


def read_result(folder):
    """A result of the default variant with the sources it is of, or None."""
    result, sources = read_json(os.path.join(folder, "result.json")), read_json(os.path.join(folder, "sources.json"))
    if result is None or sources is None or result["variant"] != "standard":
        return None
    return {**result, "sources": sources}


def is_current(result, sources):
    return result is not None and result["sources"]["hash"] == sources["hash"]


def run_one(program, out, name, sources, threads):
    """Runs one reproduction; returns its exit code."""
    folder = os.path.join(out, name)
    os.makedirs(folder, exist_ok=True)
    for stale in ("result.json", "sources.json"):
        if os.path.exists(os.path.join(folder, stale)):
            os.remove(os.path.join(folder, stale))
    limit = ["--threads", str(threads)] if threads else []
    with open(os.path.join(folder, "log.txt"), "w") as log:
        code = subprocess.run([program, "reproduce", name, "--quiet", *limit, "--out", folder], stdout=log, stderr=log).returncode
    if code != 130:
        with open(os.path.join(folder, "sources.json"), "w") as file:
            json.dump(sources, file)
    if code not in (0, 1, 130):
        print(f"evidence: {name} ended with {code}: see {folder}/log.txt", file=sys.stderr)
    return code


def run_all(program, out, entries, sources, budget, jobs):
    """Runs what has no result of these sources; False when time is up or one was interrupted. Results do not depend on the
    number of threads: one reproduction a core is faster than one after the other on all cores. What measures times runs
    alone, before."""
    start = time.monotonic()
    waiting = [e for e in entries if not is_current(read_result(os.path.join(out, e["name"])), sources)]
    left_off = threading.Event()

    def took(entry):
        """[s], last time; long ones go first."""
        before = read_json(os.path.join(out, entry["name"], "result.json"))
        return before["seconds"] if before else math.inf

    waiting.sort(key=took, reverse=True)

    def run(entry, threads):
        if left_off.is_set() or time.monotonic() - start > budget:
            left_off.set()
            return
        print(f"evidence: {entry['name']}", file=sys.stderr, flush=True)
        if run_one(program, out, entry["name"], sources, threads) == 130:
            left_off.set()

    for entry in waiting:
        if entry["measures_time"]:
            run(entry, None)
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        list(pool.map(lambda entry: run(entry, 1 if jobs > 1 else None), [e for e in waiting if not e["measures_time"]]))
    if left_off.is_set():
        print("evidence: stopped before the end; call again to go on", file=sys.stderr)
    return not left_off.is_set()


def shown(value, unit):
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (int, float)):
        text = f"{value:.4g}" if math.isfinite(value) else "no number"
        return text if unit in ("", "1") else f"{text} {unit}"
    return str(value)


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def section(entry, result, sources):
    """Lines of one reproduction, and how many claims have each verdict."""
    lines, counts = [f"## {entry['name']}", "", f"{entry['paper']}: {entry['help']}.", ""], {}
    if result is None:
        return lines + ["No result yet.", ""], {"no result": 1}
    stale = "" if is_current(result, sources) else " **Of older sources.**"
    lines += [f"{result['seconds']:.0f} s, commit {result['sources']['commit']}.{stale}", "",
              "| claim | paper | ours | asked | verdict |", "|---|---|---|---|---|"]
    reasons = []
    for claim in result["claims"]:
        verdict = claim["verdict"]
        counts[verdict] = counts.get(verdict, 0) + 1
        ours = "no number" if claim["ours"] is None else shown(claim["ours"], claim["unit"])
        lines.append(f"| `{claim['id']}`: {cell(claim['statement'])} | {cell(shown(claim['paper'], claim['unit']))} | "
                     f"{cell(ours)} | {cell(shown(claim['tolerance'], ''))} | {VERDICTS[verdict]} |")
        if claim["reason"] and claim["reason"] != "it has no bar":
            reasons.append(f"* `{claim['id']}`: {claim['reason']}.")
    return lines + [""] + (reasons + [""] if reasons else []), counts


def page(entries, results, sources):
    total, body, stale = {}, [], 0
    for entry in entries:
        result = results[entry["name"]]
        stale += result is not None and not is_current(result, sources)
        lines, counts = section(entry, result, sources)
        body += lines
        for verdict, count in counts.items():
            total[verdict] = total.get(verdict, 0) + count
    order = ["holds", "not_met", "not_reproduced", "refuted", "not_judged", "no result"]
    words = ", ".join(f"{total[v]} {VERDICTS.get(v, v).strip('*')}" for v in order if v in total)
    head = ["# Evidence", "",
            "Every claim of the papers that is reproduced, what they say, what we measure, and the verdict. Written by",
            "`tools/evidence.py` (`./dev verify`) from the runs of `dashpot reproduce NAME`; do not edit it. What verdicts mean:",
            "[design page 14](design/0014-evidence.md).", "",
            f"Commit {sources['commit']}. {words}." + (f" {stale} reproductions have results of older sources." if stale else ""), ""]
    misses = []
    for entry in entries:
        for claim in (results[entry["name"]] or {"claims": []})["claims"]:
            verdict = claim["verdict"]
            if verdict in ("not_met", "not_reproduced"):
                ours = "no number" if claim["ours"] is None else shown(claim["ours"], claim["unit"])
                misses.append(f"| {entry['name']} | `{claim['id']}` | {cell(ours)} | {cell(shown(claim['tolerance'], ''))} "
                              f"| {VERDICTS[verdict]} |")
    if misses:
        head += ["## Misses", "", "| reproduction | claim | ours | asked | verdict |", "|---|---|---|---|---|"] + misses + [""]
    return "\n".join(head + body).rstrip() + "\n", bool(misses) or "no result" in total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="reproductions to run (default: all)")
    parser.add_argument("--program", default=os.path.join(ROOT, "build/bin/dashpot"))
    parser.add_argument("--out", default=os.path.join(ROOT, "out/evidence"))
    parser.add_argument("--file", default=os.path.join(ROOT, "docs/evidence.md"))
    parser.add_argument("--sources", nargs="+", default=SOURCES, help="what the program is made of")
    parser.add_argument("--page", action="store_true", help="run nothing")
    parser.add_argument("--budget", type=float, default=math.inf, help="start no reproduction after this many seconds")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="reproductions at a time (default: one a core)")
    options = parser.parse_args()
    listing = subprocess.run([options.program, "reproduce", "--json"], capture_output=True, text=True, check=True).stdout
    entries = json.loads(listing)["reproductions"]
    sources = present_sources(options.sources)
    known = [entry["name"] for entry in entries]
    unknown = [name for name in options.names if name not in known]
    if unknown:
        parser.error(f"no reproduction {', '.join(unknown)}; there are {', '.join(known)}")
    wanted = [entry for entry in entries if not options.names or entry["name"] in options.names]
    is_done = options.page or run_all(options.program, options.out, wanted, sources, options.budget, options.jobs)
    results = {name: read_result(os.path.join(options.out, name)) for name in known}
    text, has_misses = page(entries, results, sources)
    with open(options.file, "w") as file:
        file.write(text)
    return 1 if has_misses or not is_done else 0


if __name__ == "__main__":
    sys.exit(main())
