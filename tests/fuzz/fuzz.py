"""make fuzz: every target for some seconds, one after the other, with clang's libFuzzer.

Usage: fuzz.py SECONDS [TARGET...].  Inputs that are found stay in build/fuzz/corpus/TARGET, so that
the next run continues from there.  An input that crashes a target is build/fuzz/found/TARGET-….
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

from inputs import ROOT, prepare, targets

BUILD = ROOT / "build/fuzz"
CLANG = "clang -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=undefined"
INPUT_BYTES_MAX = {"object": 65536, "source": 8192, "page": 8192, "assembly": 16384}
NICENESS = 19


def fuzz(target: str, seconds: int) -> bool:
    """Fuzzes one target and prints a line about it. False if something was found."""
    corpus, found = prepare(target, BUILD / "corpus" / target), BUILD / "found"
    found.mkdir(exist_ok=True)
    words = [str(BUILD / "tests/fuzz" / target), str(corpus), f"-max_total_time={seconds}"]
    words += [f"-artifact_prefix={found}/{target}-", "-print_final_stats=1", "-timeout=20"]
    words += [
        f"-max_len={INPUT_BYTES_MAX.get(target, 4096)}",
        "-rss_limit_mb=2048",
        "-use_value_profile=0",
    ]
    memory = {"TMPDIR": "/dev/shm"} if os.access("/dev/shm", os.W_OK) else {}
    done = subprocess.run(
        words,
        env=os.environ | memory,
        capture_output=True,
        text=True,
        errors="replace",
        preexec_fn=lambda: os.nice(NICENESS),
    )
    log = BUILD / f"{target}.log"
    log.write_text(done.stderr)
    runs = re.search(r"number_of_executed_units:\s*(\d+)", done.stderr)
    covered = re.findall(r"cov: (\d+) ft: (\d+) corp: (\d+)/", done.stderr)
    edges, features, kept = covered[-1] if covered else ("?", "?", "?")
    all_edges = re.search(r"Loaded 1 PC tables \((\d+) PCs\)", done.stderr)
    print(
        f"{target:10} {runs[1] if runs else '?':>10} runs  {edges:>6} edges"
        f" (of {all_edges[1] if all_edges else '?'} in the program)"
        f"  {features:>6} features  {kept:>5} inputs",
        flush=True,
    )
    if done.returncode != 0:
        print(f"{target}: found something, see {log}", flush=True)
    return done.returncode == 0


def programs_make(names: list[str]) -> None:
    """Builds the targets with the fuzzer in place of replay.c."""
    words = ["make", "-s", "BUILD=build/fuzz", f"CC={CLANG}", "CFLAGS=-std=c11 -g -O1"]
    words += ["FUZZ_MAIN=", "FUZZ_FLAGS=-fsanitize=fuzzer"]
    words += [f"build/fuzz/tests/fuzz/{name}" for name in names]
    subprocess.run(words, cwd=ROOT, env=own_environment(), check=True)


def own_environment() -> dict[str, str]:
    """Without what the make above has typed."""
    return {name: value for name, value in os.environ.items() if name[:4] != "MAKE"}


def main(words: list[str]) -> int:
    known = targets()
    for name in words[1:]:
        if name not in known:
            sys.exit(f"no target is called {name}; there are {', '.join(known)}")
    programs_make(words[1:] or known)
    fine = [fuzz(target, int(words[0])) for target in words[1:] or known]
    if not words[1:]:
        script = ROOT / "tests/fuzz/reports.py"
        words = ["/usr/bin/python3", str(script), str(ROOT / "build"), words[0]]
        fine.append(subprocess.run(words, check=False).returncode == 0)
    print(f"{sum(fine)} of {len(fine)} targets without a fault")
    return 0 if all(fine) else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
