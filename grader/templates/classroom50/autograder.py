"""The autograder of a Classroom 50 assignment: grades ./student and writes result.json.

The points come from grader/report/formats/classroom50.py; what the workflow knows comes from its
environment.  While points are open, because a kernel needs a GPU, there is no grade: a score covers
all points, and some of these are not decided.
Exit codes: 0 result.json is written, 3 there is no grade.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from datetime import datetime, timezone
from pathlib import Path

SCHEMA = "classroom50/result/v1"
COURSE = Path(os.environ.get("COURSE", Path(__file__).resolve().parents[3]))
# key of the result, variable of the workflow
GIVEN = {
    "classroom": "CLASSROOM",
    "assignment": "ASSIGNMENT",
    "assignment_type": "ASSIGNMENT_TYPE",
    "owner": "OWNER",
    "submission": "SUBMISSION_TAG",
    "commit": "COMMIT_URL",
    "release": "RELEASE_URL",
    "review": "REVIEW_URL",
}


def main() -> int:
    with tempfile.TemporaryDirectory() as folder:
        script = COURSE / "grader/templates/grade_as.sh"
        done = subprocess.run(["bash", str(script), "classroom50", "student", folder], check=False)
        if done.returncode != 0:
            return 3
        points = json.loads(Path(folder, "classroom50.json").read_text(encoding="utf-8"))
    undecided = [test for test in points["tests"] if not test["judged"]]
    for test in undecided:
        print(f"no grade, as {test['test-name']} is open: {test['message']}", file=sys.stderr)
    if undecided:
        return 3
    now = datetime.now(timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    given = {key: os.environ.get(variable, "") for key, variable in GIVEN.items()}
    Path("result.json").write_text(
        json.dumps({"schema": SCHEMA} | given | {"datetime": now} | points, indent=1) + "\n",
        encoding="utf-8",
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
