"""The students of a class, the submission of each, and the choice among several tries."""

from __future__ import annotations

from dataclasses import dataclass, replace

from course import Course
from intake.kernels import FOUND_MAX, Kernels, kernels_find
from intake.layouts import layout_find, layout_read
from intake.match import Matcher
from intake.opening import has_kernel, opening_open
from intake.packages import Refused, Unpacker
from intake.person import Person, id_fault
from intake.roster import Roster
from intake.source import Folder, Source
from language import N_, _
from texts import joined, shown
from trouble import Trouble

READY, MISSING, EMPTY, BROKEN = "ready", "missing", "empty", "broken"


@dataclass(frozen=True)
class Handed:
    """A student, and the submission that counts."""

    person: Person
    in_roster: bool
    state: str = MISSING  # EMPTY and BROKEN are known after the files are copied
    source: str = ""  # what counts, as people know it
    tries: int = 0
    note: str = ""  # which try counts, what was found, why it is broken
    warning: str = ""  # what to see before the points are imported
    late_mark: bool = False  # the platform calls it late, without a time
    taken: Source | None = None

    def broken(self, why: str) -> Handed:
        return replace(self, state=BROKEN, taken=None, note=shown(why))

    def given(self, source: Source) -> Handed:
        """With one more source; the newest counts."""
        tries = self.tries + source.tries
        if self.state == MISSING:
            new = replace(self, state=READY, taken=source, source=source.name, tries=tries)
            return new.broken(source.fault) if source.fault else new
        more = replace(self, tries=tries)
        earlier = self.taken
        if not earlier or source.fault or not earlier.order or not source.order:
            known = False
        else:
            known = earlier.order != source.order
        if not known:
            both = _(
                "'%(first)s' and '%(second)s' are both of this student, and nothing says which is "
                "newer: remove one",
                first=self.source,
                second=source.name,
            )
            return more.broken(source.fault or both)
        if earlier and source.order > earlier.order:
            more = replace(more, taken=source, source=source.name)
        return replace(more, note=_("%(count)d were handed in, and the newest counts", count=tries))

    def ended(self) -> Handed:
        """With the platform's data about the time."""
        if not self.taken:
            return self
        late = self.taken.late_mark
        received = self.person.received
        received = self.taken.received if received is None else received
        note = self.note
        if late and received is None:
            note = joined(
                note,
                _(
                    "late, but the platform does not say by how much; give the time of submission "
                    "in the roster's column `received`"
                ),
            )
        person = replace(self.person, received=received)
        return replace(self, person=person, late_mark=late, note=shown(note))


@dataclass(frozen=True)
class Intake:
    """A class as it was handed in."""

    layout: str
    folder: Folder
    students: tuple[Handed, ...]  # as in the roster; else by id
    unmatched: tuple[tuple[str, str], ...]
    column: str  # of Canvas' gradebook for this assignment, "Homework 1 (77)"; or ""
    said: str  # for people: the layout, the number of students, unrecognised entries


def _of_roster(
    sources: tuple[Source, ...], roster: Roster
) -> tuple[list[Handed], list[tuple[str, str]]]:
    students = [Handed(person, True) for person in roster.people]
    matcher = Matcher(roster.people)
    others = []
    for source in sources:
        owner = source.owner
        match = matcher.find(owner)
        if match.row is None:
            others.append((source.name, match.why))
            continue
        one = students[match.row]
        # The platform may fill in data that the roster lacks.
        keys = {**{key: shown(text) for key, text in owner.keys.items()}, **one.person.keys}
        one = replace(
            one, person=replace(one.person, keys=keys, mail=one.person.mail or owner.mail)
        )
        if match.by_name:
            found = _("found by the name '%(name)s'", name=owner.name or owner.id)
            one = replace(one, note=shown(joined(one.note, found)))
        students[match.row] = one.given(source)
    return students, others


def _of_owners(sources: tuple[Source, ...]) -> tuple[list[Handed], list[tuple[str, str]]]:
    """Without a roster, each submission makes a student."""
    students: dict[str, Handed] = {}
    others = []
    for source in sources:
        owner = source.owner
        fault = id_fault(owner.id)
        if fault:
            why = _("its name cannot be an id: %(why)s", why=_(fault))
            others.append((source.name, why))
        else:
            students[owner.id] = students.get(owner.id, Handed(owner, False)).given(source)
    return sorted(students.values(), key=lambda one: one.person.id.encode()), others


def _said(intake: Intake, title: str, roster: Roster | None) -> str:
    handed = sum(one.state != MISSING for one in intake.students)
    said = _(
        "layout %(layout)s (LAYOUT=… or --layout … chooses another one); students: %(students)d, "
        "with a submission: %(handed)d, unmatched: %(unmatched)d",
        layout=intake.layout,
        students=len(intake.students),
        handed=handed,
        unmatched=len(intake.unmatched),
    )
    column = unused = ""
    if roster and roster.is_canvas and title and not intake.column:
        column = _(
            "the roster has no column '%(title)s (number)', so Canvas will ask for which "
            "assignment the points are",
            title=title,
        )
    if roster and roster.unused:
        unused = _("columns of the roster that are not used: %(names)s", names=roster.unused)
    return shown(joined(said, column, unused))


def intake_read(
    path: str, layout: str, roster: Roster | None, course: Course, unpacker: Unpacker
) -> Intake:
    """Recognises the layout and gives each student the submission that counts.

    With a roster, its students are the class, and a submission of anyone else is unmatched.
    """
    folder, left_out = opening_open(path, roster, course.exercises, unpacker)
    if not layout and not has_kernel(folder.entries, course.exercises):
        layout = layout_find(folder)
    if not layout:
        raise Trouble(
            "%(path)s: not a class: there is no folder and no package for each student; `make "
            "grade SUBMISSION=…` grades one submission",
            path=path,
        )
    found = layout_read(layout, folder)
    made, others = _of_roster(found.sources, roster) if roster else _of_owners(found.sources)
    unmatched = (*left_out, *found.unmatched, *((name, shown(why)) for name, why in others))
    column = roster.column_of(course.title) if roster else ""
    students = tuple(one.ended() for one in made)
    intake = Intake(layout, folder, students, unmatched, column, "")
    return replace(intake, said=_said(intake, course.title, roster))


# --- The kernel files of one student -------------------------------------------------------------


def _nothing(kernels: Kernels) -> str:
    """The files found, if none of them is a kernel."""
    odd = kernels.odd_text()
    names = ", ".join(name[:100] for name in kernels.others[:FOUND_MAX])
    more = len(kernels.others) - FOUND_MAX
    if kernels.odd:
        return _(
            "no kernel file of this course has its right name (such as %(name)s), but there is "
            "%(found)s: rename it, or have it handed in again, and run the same command",
            name=kernels.wanted[0],
            found=odd,
        )
    if not names:
        return _("nothing is in it")
    if more <= 0:
        return _("it has no kernel file of this course, but %(names)s", names=names)
    return _(
        "it has no kernel file of this course, but %(names)s and %(count)d other files",
        names=names,
        count=more,
    )


def _warning(kernels: Kernels) -> str:
    """A note that the teacher must check before using the points: only a name identified the
    student."""
    said = []
    for file in kernels.files.values():
        if file.copied and file.older:
            text = N_("'%(path)s' counts as %(name)s, and not '%(older)s'")
            said.append(_(text, path=file.path, name=file.name, older=file.older))
        elif file.copied:
            said.append(_("'%(path)s' counts as %(name)s", path=file.path, name=file.name))
    odd = kernels.odd_text()
    if odd:
        missing = [name for name in kernels.wanted if name not in kernels.files]
        said.append(
            _(
                "no points for %(missing)s, which is missing; if %(odd)s is meant, rename it, or "
                "have it handed in again, and run the same command",
                missing=", ".join(missing),
                odd=odd,
            )
        )
    return joined(*said)


def _left_out(lines: list[str]) -> str:
    if len(lines) > 1:
        return _("left out: %(first)s, and %(count)d more", first=lines[0], count=len(lines) - 1)
    return _("left out: %(first)s", first=lines[0]) if lines else ""


def take(
    one: Handed, folder: Folder, course: Course, unpacker: Unpacker
) -> tuple[Handed, dict[str, bytes | None]]:
    """The kernel files of a student, with the state and the notes that follow from them."""
    if not one.taken:
        return one, {}
    try:
        kernels = kernels_find(one.taken, folder.fd, course.wanted, course.exercise_count, unpacker)
    except Refused as error:
        return replace(one, state=BROKEN, note=shown(joined(one.note, str(error)))), {}
    kernels.files = {name: kernels.files[name] for name in course.wanted if name in kernels.files}
    twin = next((file for file in kernels.files.values() if file.twin), None)
    if twin:
        why = _(
            "'%(first)s' and '%(second)s' are two files for one exercise, and nothing says which "
            "counts: remove one",
            first=twin.path,
            second=twin.twin,
        )
        return replace(one, state=BROKEN, note=shown(joined(one.note, why))), {}
    left_out = _left_out(kernels.left_out)
    if not kernels.files:
        note = joined(one.note, _nothing(kernels), left_out)
        return replace(one, state=EMPTY, note=shown(note)), {}
    tries = one.taken.tries
    again = _("a file was handed in %(count)d times, and the newest counts", count=tries)
    note = joined(one.note, left_out, again if tries > 1 else "")
    warned = replace(one, note=shown(note), warning=shown(_warning(kernels)))
    return warned, kernels.to_write()
