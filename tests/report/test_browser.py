"""The page in a real browser: it sends nothing and logs no error; light, dark and narrow.

Needs Chromium, its driver and python3-selenium (make setup DEV=1).  AXE=axe.min.js in the
environment adds that accessibility linter (npm package axe-core).
"""

from __future__ import annotations

import json
import os
import shutil
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT / part) for part in ("grader/class", "grader/report", "tests/report")]

import make_class  # noqa: E402
import make_result  # noqa: E402
import page as html_page  # noqa: E402
from book import class_page, feedback, model  # noqa: E402
from make_exercises import counted, measured, racing  # noqa: E402
from parse import result_parse  # noqa: E402
from language import language_used  # noqa: E402
from test_index_map import exercise_with, tiled  # noqa: E402
from test_language import everything  # noqa: E402

try:
    from selenium import webdriver
    from selenium.webdriver.chrome.options import Options
    from selenium.webdriver.chrome.service import Service
    from selenium.webdriver.common.keys import Keys

    DRIVER = shutil.which("chromedriver")
except ImportError:
    DRIVER = None

ARGUMENTS = """--headless=new --no-sandbox --disable-gpu --disable-quic --no-first-run
--disable-background-networking --disable-component-update --disable-sync""".split()

# Texts whose contrast with their background is below that of WCAG 2.2, 1.4.3 (AA).
CONTRAST = """
const number = colour => colour.match(/[\\d.]+/g).map(Number);
const part = value => { value /= 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4; };
const light = c => 0.2126 * part(c[0]) + 0.7152 * part(c[1]) + 0.0722 * part(c[2]);
const behind = element => {
  for (let e = element; e; e = e.parentElement) {
    const c = number(getComputedStyle(e).backgroundColor);
    if (c.length < 4 || c[3] > 0) return c;
  }
  return number(getComputedStyle(document.documentElement).backgroundColor);
};
const low = [];
for (const element of document.querySelectorAll('body *')) {
  const own = [...element.childNodes].some(n => n.nodeType === 3 && n.textContent.trim());
  if (!own || element.closest('.hidden') || !element.getClientRects().length) continue;
  const style = getComputedStyle(element);
  const svg = element.closest('svg');
  const ink = light(number(svg ? style.fill : style.color)), paper = light(behind(element));
  const ratio = (Math.max(ink, paper) + 0.05) / (Math.min(ink, paper) + 0.05);
  const large = parseFloat(style.fontSize) >= 24;
  if (ratio < (large ? 3 : 4.5)) low.push(ratio.toFixed(2) + ' ' + element.outerHTML.slice(0, 90));
}
return low;
"""


# Shows all parts of a page together, and all that is folded.
SHOW_ALL = """
document.body.classList.remove('parts');
document.querySelectorAll('details').forEach(details => { details.open = true; });
"""


def hostile() -> dict:
    exercise = racing()
    evil = (
        "</pre><script>document.title='bad'</script><img src=http://127.0.0.1:9/x> \u202e `{{7*7}}"
    )
    exercise |= {"headline": evil, "output": evil, "diagnostics": evil, "title": evil}
    return exercise


PAGES = {
    "failing": make_result.result(
        [racing(), exercise_with(tiled()) | {"name": "b", "file": "b.cu", "title": "B"}]
    ),
    "passing": make_result.result([counted(), measured([[1000] * 3, [2048] * 3, [4096] * 3])]),
    "hostile": make_result.result([hostile()]),
    "whole": everything(),
    "chinese": everything() | {"language": "zh"},
}


def class_pages(folder: Path) -> dict[str, str]:
    """The page of a class, and the same in Chinese."""
    students = make_class.crowd(folder, 40, make_class.exercises())
    run = model.class_read(make_class.write_class(folder, students))
    folders = feedback.student_folders(run)
    pages = {"class": class_page.render(run, folders, [], [])}
    with language_used("zh"):
        pages["class in chinese"] = class_page.render(run, folders, [], [])
    return pages


@unittest.skipUnless(DRIVER, "no Chromium with its driver and python3-selenium here")
class Browser(unittest.TestCase):
    @classmethod
    def setUpClass(cls) -> None:
        options = Options()
        for argument in ARGUMENTS:
            options.add_argument(argument)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        cls.driver = webdriver.Chrome(service=Service(DRIVER), options=options)
        cls.folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.folder.cleanup)
        cls.addClassCleanup(cls.driver.quit)
        for name, data in PAGES.items():
            result = result_parse(json.dumps(data), "r.json")
            with language_used(result.language):
                Path(cls.folder.name, name + ".html").write_text(html_page.render(result), "utf-8")
        of_class = class_pages(Path(cls.folder.name, "out"))
        for name, text in of_class.items():
            Path(cls.folder.name, name + ".html").write_text(text, "utf-8")
        cls.names = [*PAGES, *of_class]

    def open(self, name: str, dark: bool = False, width: int = 1000, part: str = "") -> None:
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": [scheme]})
        size = {"width": width, "height": 800, "deviceScaleFactor": 1, "mobile": width < 600}
        self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", size)
        self.driver.get("about:blank")  # else another part of the same page is not a new one
        self.driver.get(f"file://{self.folder.name}/{name}.html{part}")

    def test_nothing_leaves_the_page_and_nothing_is_complained_of(self) -> None:
        for name in self.names:
            with self.subTest(name):
                self.open(name)
                events = [
                    json.loads(e["message"])["message"] for e in self.driver.get_log("performance")
                ]
                urls = [
                    event["params"]["request"]["url"]
                    for event in events
                    if event["method"] == "Network.requestWillBeSent"
                ]
                self.assertEqual([url for url in urls if not url.startswith("file://")], [])
                self.assertEqual(self.driver.get_log("browser"), [])
                if name in PAGES:
                    self.assertIn("分" if name == "chinese" else "points", self.driver.title)

    def test_texts_have_contrast_in_light_and_dark(self) -> None:
        for name in self.names:
            for dark in (False, True):
                with self.subTest(name, dark=dark):
                    self.open(name, dark)
                    self.driver.execute_script(SHOW_ALL)
                    self.assertEqual(self.driver.execute_script(CONTRAST), [])

    def test_dark_is_dark_and_paper_is_light(self) -> None:
        script = "return getComputedStyle(document.body).backgroundColor"
        self.open("failing", dark=True)
        self.assertEqual(self.driver.execute_script(script), "rgb(20, 23, 26)")
        paper = {"media": "print", "features": [{"name": "prefers-color-scheme", "value": "dark"}]}
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", paper)
        self.assertEqual(self.driver.execute_script(script), "rgb(255, 255, 255)")
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})

    def test_a_telephone_need_not_scroll_sideways(self) -> None:
        for name in self.names:
            self.open(name, width=360)
            self.driver.execute_script(SHOW_ALL)
            width = self.driver.execute_script("return document.documentElement.scrollWidth")
            self.assertLessEqual(width, 360, name)

    def test_one_exercise_is_shown_at_a_time_and_the_contents_stay(self) -> None:
        shown = (
            "return [...document.querySelectorAll('main > section')].filter("
            "part => part.offsetHeight > 0).map(part => part.id)"
        )
        top = "return document.querySelector('.contents').getBoundingClientRect().top"
        for width in (390, 1280):
            self.open("failing", width=width)
            self.assertEqual(self.driver.execute_script(shown), ["-overview"])
            self.driver.find_elements("css selector", ".contents a")[2].send_keys(Keys.ENTER)
            self.assertEqual(self.driver.execute_script(shown), ["b"])
            self.assertTrue(self.driver.current_url.endswith("#b"))
            self.driver.execute_script("scrollTo(0, 1e6)")
            self.assertIn(round(self.driver.execute_script(top)), range(17))
            self.open("failing", width=width, part="#tiled")
            self.assertEqual(self.driver.execute_script(shown), ["tiled"])
        self.open("hostile")
        self.assertEqual(self.driver.execute_script(shown), ["-overview", "tiled"])

    def test_marked_code_and_its_notes_are_in_sight_on_a_telephone(self) -> None:
        self.open("failing", width=390, part="#tiled")
        right = (
            "return Math.max(...[...document.querySelectorAll('mark, .note')].map("
            "one => one.getBoundingClientRect().right))"
        )
        self.assertIn(round(self.driver.execute_script(right)), range(50, 391))

    def test_type_in_drawings_can_be_read(self) -> None:
        small = (
            "return [...document.querySelectorAll('svg text')].filter(text => {"
            "const svg = text.ownerSVGElement, box = svg.viewBox.baseVal;"
            "const scale = svg.getBoundingClientRect().width / box.width;"
            "return scale > 0 && parseFloat(getComputedStyle(text).fontSize) * scale < 11;"
            "}).map(text => text.textContent)"
        )
        for name in ("failing", "passing", "whole", "chinese"):
            for width in (390, 1280):
                with self.subTest(name, width=width):
                    self.open(name, width=width)
                    self.driver.execute_script(SHOW_ALL)
                    self.assertEqual(self.driver.execute_script(small), [])

    def test_paper_has_all_that_was_begun_and_nothing_to_press(self) -> None:
        self.open("whole", part="#timed")
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "print"})
        shown = (
            "return [...document.querySelectorAll(arguments[0])].filter("
            "one => one.offsetHeight > 0).map(one => one.id)"
        )
        parts = self.driver.execute_script(shown, "main > section")
        begun = [one["name"] for one in everything()["exercises"] if one["name"] != "later"]
        self.assertEqual(parts, ["-overview", *begun])
        pressed = self.driver.execute_script(shown, "fieldset, .contents, .read, .screen")
        self.assertEqual(pressed, [])
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": ""})

    def test_the_slider_moves_by_keyboard_and_without_a_script(self) -> None:
        self.open("failing", part="#b")
        shown = "return [...document.querySelectorAll('p.step')].map(p => p.offsetHeight > 0)"
        self.assertEqual(self.driver.execute_script(shown).index(True), 0)
        self.driver.find_element("id", "m2ap1").send_keys(Keys.ARROW_RIGHT)
        steps = self.driver.execute_script(shown)
        self.assertEqual((steps.count(True), steps.index(True)), (1, 1))
        text = self.driver.find_element("css selector", "p.step.p1").text
        self.assertIn("Thread tx 5, ty 3 loads As[3][0..15].", text)
        self.driver.find_element("id", "m2at1").send_keys(Keys.ARROW_RIGHT)
        text = self.driver.find_element("css selector", "p.step.p1").text
        self.assertIn("Thread tx 0, ty 0 loads As[0][0..15].", text)

    def test_the_table_of_a_class_is_sorted_by_clicks_and_keys(self) -> None:
        self.open("class")
        column = (
            "return [...document.querySelectorAll('.sortable tbody tr')].map("
            "row => row.cells[2].dataset.v).map(Number)"
        )
        button = self.driver.find_elements("css selector", ".sortable button")[2]
        before = self.driver.execute_script(column)
        button.click()
        points = self.driver.execute_script(column)
        self.assertEqual(points, sorted(before, reverse=True))
        self.assertNotEqual(points, before)
        button.send_keys(Keys.ENTER)
        self.assertEqual(self.driver.execute_script(column), sorted(before))
        sorts = "return document.querySelector('[aria-sort]').getAttribute('aria-sort')"
        self.assertEqual(self.driver.execute_script(sorts), "ascending")

    @unittest.skipUnless(os.environ.get("AXE"), "AXE does not name axe.min.js")
    def test_the_accessibility_linter_finds_nothing(self) -> None:
        linter = Path(os.environ["AXE"]).read_text("utf-8")
        for name in self.names:
            for dark in (False, True):
                with self.subTest(name, dark=dark):
                    self.open(name, dark)
                    self.driver.execute_script(linter + ";window.axe = axe;")
                    for show in ("", SHOW_ALL):
                        self.driver.execute_script(show)
                        found = self.driver.execute_async_script(
                            "const done = arguments[0]; axe.run().then(r => done(r.violations.map("
                            "v => v.id + ' ' + v.nodes[0].html.slice(0, 100))))"
                        )
                        self.assertEqual(found, [])


if __name__ == "__main__":
    unittest.main()
