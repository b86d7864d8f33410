"""The layouts of downloads: recognises the layout of a folder, and finds the submissions of each
student.

Platforms write the submitter into the names of folders and files, or into a table. The names
directly in the folder are enough; their contents are not examined.  A layout is a module with
`fits` and `read`.
"""

from __future__ import annotations

from intake import blackboard, canvas, classroom, folders, gradescope, moodle
from intake.source import Folder, Found
from trouble import Trouble

# The first layout that fits is used.
LAYOUTS = {
    "gradescope": gradescope,
    "moodle": moodle,
    "blackboard": blackboard,
    "canvas": canvas,
    "classroom": classroom,
    "folders": folders,
}


def layout_find(folder: Folder) -> str:
    """ "" if there is neither a folder nor a package in it."""
    return next((name for name, layout in LAYOUTS.items() if layout.fits(folder)), "")


def layout_read(name: str, folder: Folder) -> Found:
    found = LAYOUTS[name].read(folder)
    if not found.sources:
        raise Trouble(
            "nothing there fits the layout '%(layout)s'; LAYOUT=folders (--layout folders) "
            "takes a folder or a package for each student",
            layout=name,
        )
    return found
