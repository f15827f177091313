#!/usr/bin/env python3
"""Runs the reproductions and writes docs/evidence.md from what they found.

  tools/evidence.py [NAME ...]   runs those (default: all) that have no result of the present sources, then writes the page
  tools/evidence.py --page       writes the page only

Build first. Results are kept as OUT/<name>/result.json, with OUT/<name>/sources.json that says of which sources they are: a
hash of the files that this reproduction is made of (reproduction_sources.py), without comments and layout, so that a change of a
page, a comment or another reproduction does not run everything again. A run that is interrupted goes on when it is called again.
What has no result here keeps the section that the page has. A result or section of other sources is marked, unless those of its
commit are the same for this reproduction. Exit code 1: a claim is missed, or a reproduction has no result.
"""
import argparse
import concurrent.futures
import json
import math
import os
import re
import subprocess
import sys
import threading
import time

from reproduction_sources import COUNTED, git, tree_of_commit, work_tree

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
VERDICTS = {
    "holds": "holds",
    "not_met": "**not met**",
    "not_reproduced": "**not reproduced on our body**",
    "refuted": "refuted",
    "not_judged": "not judged",
}


OLDER = " **Of older sources.**"


class Sources:
    """What reproductions are made of here, and at the commits that results are of."""

    def __init__(self, root):
        self.root, self.tree = root, work_tree(root)
        changed = git(root, "status", "--porcelain", "--", *[c for c in COUNTED if os.path.exists(os.path.join(root, c))])
        self.commit = git(root, "rev-parse", "--short=12", "HEAD").decode().strip() + ("-dirty" if changed.strip() else "")

    def of(self, name):
        return {"hash": self.tree.hash_of(name), "commit": self.commit}

    def is_same_at(self, commit, name):
        """Was this reproduction at a commit what it is now? No, where that is not known."""
        then = None if commit.endswith("-dirty") else tree_of_commit(self.root, commit)
        return then is not None and then.hash_of(name) == self.tree.hash_of(name)


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


def is_current(result, name, sources):
    """`sources`: those that are here."""
    return result is not None and (result["sources"]["hash"] == sources.tree.hash_of(name)
                                   or sources.is_same_at(result["sources"]["commit"], name))


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
            json.dump(sources.of(name), file)
    if code not in (0, 1, 130):
        print(f"evidence: {name} ended with {code}: see {folder}/log.txt", file=sys.stderr)
    return code


def run_all(program, out, entries, sources, budget, jobs):
    """Runs what has no result of these sources; False when time is up or one was interrupted. Results do not depend on the
    number of threads: one reproduction a core is faster than one after the other on all cores. What measures times runs
    alone, before."""
    start = time.monotonic()
    waiting = [e for e in entries if not is_current(read_result(os.path.join(out, e["name"])), e["name"], sources)]
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


def sections_of(path):
    """The sections of a page that was written before: lines by name of the reproduction."""
    found, lines = {}, None
    if os.path.exists(path):
        with open(path) as file:
            for line in file.read().splitlines():
                if line.startswith("## "):
                    lines = found.setdefault(line[3:], [])
                if lines is not None:
                    lines.append(line)
    return found


def kept(name, lines, sources):
    """A section as it stands on the page: its lines, marked where it is old; counts of verdicts; rows of its misses; is it old?"""
    lines, is_old = list(lines), True
    for i, line in enumerate(lines):
        of = re.fullmatch(r"(\d+ s, commit (\S+)\.)(" + re.escape(OLDER) + ")?", line)
        if of:
            is_old = not sources.is_same_at(of[2], name)
            lines[i] = of[1] + (OLDER if is_old else "")
    counts, misses = {}, []
    verdict_of = {text: verdict for verdict, text in VERDICTS.items()}
    for line in lines:
        cells = [cell.strip() for cell in re.split(r"(?<!\\)\|", line)[1:-1]]
        if len(cells) != 5 or cells[-1] not in verdict_of:
            continue
        verdict = verdict_of[cells[-1]]
        counts[verdict] = counts.get(verdict, 0) + 1
        if verdict in ("not_met", "not_reproduced"):
            misses.append(f"| {lines[0][3:]} | {cells[0].split(':')[0]} | {cells[2]} | {cells[3]} | {cells[4]} |")
    return lines + ([] if lines and lines[-1] == "" else [""]), counts, misses, is_old


def section(entry, result, sources):
    """Lines of one reproduction, and how many claims have each verdict."""
    lines, counts = [f"## {entry['name']}", "", f"{entry['paper']}: {entry['help']}.", ""], {}
    if result is None:
        return lines + ["No result yet.", ""], {"no result": 1}
    stale = "" if is_current(result, entry["name"], sources) else OLDER
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


def misses_of(entry, result):
    rows = []
    for claim in (result or {"claims": []})["claims"]:
        verdict = claim["verdict"]
        if verdict in ("not_met", "not_reproduced"):
            ours = "no number" if claim["ours"] is None else shown(claim["ours"], claim["unit"])
            rows.append(f"| {entry['name']} | `{claim['id']}` | {cell(ours)} | {cell(shown(claim['tolerance'], ''))} "
                        f"| {VERDICTS[verdict]} |")
    return rows


def page(entries, results, sources, before):
    """`before`: sections that the page has already; they stay where there is no result."""
    total, body, stale, misses = {}, [], 0, []
    for entry in entries:
        result = results[entry["name"]]
        old = before.get(entry["name"]) if result is None else None
        if old and any(line.startswith("| `") for line in old):
            lines, counts, missed, is_old = kept(entry["name"], old, sources)
            misses += missed
            stale += is_old
        else:
            lines, counts = section(entry, result, sources)
            stale += result is not None and not is_current(result, entry["name"], sources)
            misses += misses_of(entry, result)
        body += lines
        for verdict, count in counts.items():
            total[verdict] = total.get(verdict, 0) + count
    order = ["holds", "not_met", "not_reproduced", "refuted", "not_judged", "no result"]
    words = ", ".join(f"{total[v]} {VERDICTS.get(v, v).strip('*')}" for v in order if v in total)
    head = ["# Evidence", "",
            "Every claim of the papers that is reproduced, what they say, what we measure, and the verdict. Written by",
            "`tools/evidence.py` (`./dev verify`) from the runs of `dashpot reproduce NAME`; do not edit it. What verdicts mean:",
            "[design page 14](design/0014-evidence.md).", "",
            f"Commit {sources.commit}. {words}." + (f" {stale} reproductions have results of older sources." if stale else ""), ""]
    if misses:
        head += ["## Misses", "", "| reproduction | claim | ours | asked | verdict |", "|---|---|---|---|---|"] + misses + [""]
    return "\n".join(head + body).rstrip() + "\n", bool(misses) or "no result" in total


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("names", nargs="*", help="reproductions to run (default: all)")
    parser.add_argument("--program", default=os.path.join(ROOT, "build/bin/dashpot"))
    parser.add_argument("--out", default=os.path.join(ROOT, "out/evidence"))
    parser.add_argument("--file", default=os.path.join(ROOT, "docs/evidence.md"))
    parser.add_argument("--root", default=ROOT, help="the sources of the program")
    parser.add_argument("--page", action="store_true", help="run nothing")
    parser.add_argument("--budget", type=float, default=math.inf, help="start no reproduction after this many seconds")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="reproductions at a time (default: one a core)")
    options = parser.parse_args()
    listing = subprocess.run([options.program, "reproduce", "--json"], capture_output=True, text=True, check=True).stdout
    entries = json.loads(listing)["reproductions"]
    sources = Sources(options.root)
    known = [entry["name"] for entry in entries]
    unknown = [name for name in options.names if name not in known]
    if unknown:
        parser.error(f"no reproduction {', '.join(unknown)}; there are {', '.join(known)}")
    wanted = [entry for entry in entries if not options.names or entry["name"] in options.names]
    is_done = options.page or run_all(options.program, options.out, wanted, sources, options.budget, options.jobs)
    results = {name: read_result(os.path.join(options.out, name)) for name in known}
    text, has_misses = page(entries, results, sources, sections_of(options.file))
    with open(options.file, "w") as file:
        file.write(text)
    return 1 if has_misses or not is_done else 0


if __name__ == "__main__":
    sys.exit(main())
