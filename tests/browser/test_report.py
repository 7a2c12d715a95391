"""The report in a browser. The fixture ``visit`` fails a test whose page logs, asks for anything or opens a dialog."""

from __future__ import annotations

import re
from dataclasses import replace
from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

from comparisons import NAMES, comparison, facts, health, selection
from entropick.evaluation.columns import _merges
from entropick.pairs.answer import Interaction, Interactions
from entropick.report import write_report
from entropick.report.page import page as page_of
from entropick.report.summary import selection_summary

HOSTILE = (
    "<script>alert(1)</script>",
    "</script><script>document.title = 'taken over'</script>",
    '"><img src=x onerror=alert(1)>',
    "a" * 2000,
    "שלום עולם",
    "😀 👩‍👩‍👧 \u202ebackwards\nand a line break",
)
AXE = [folder / "node_modules/axe-core/axe.min.js" for folder in Path(__file__).parents]
if (found := find_spec("axe_core_python")) is not None and found.origin:
    AXE.append(Path(found.origin).with_name("axe.min.js"))
TABS = ["Accuracy", "Stability", "Methods", "What each adds", "Redundancy", "Features", "Data", "Reproduce"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("reports")


@pytest.fixture(scope="module")
def report(folder):
    return write_report(comparison(), folder / "comparison.html")


@pytest.fixture(scope="module")
def single(folder):
    path = folder / "selection.html"
    path.write_text(page_of(selection_summary(selection(), health=health())), "utf-8")
    return path


@pytest.fixture(scope="module")
def hostile(folder):
    methods = {"<i>jmi</i>": 0, "</script>": 0, "mim": 0}
    made = comparison(HOSTILE, methods, final=selection(HOSTILE, k=4))
    return write_report(made, folder / "hostile.html")


@pytest.fixture(scope="module")
def paired(folder):
    """With interactions: height × income is the strongest of two significant pairs, age × noise is not significant."""
    found = [(("height", "income"), 0.4, 1e-9), (("age", "weight"), 0.08, 1e-3), (("age", "noise"), 0.01, 0.9)]
    pairs = tuple(
        Interaction(tuple(map(NAMES.index, names)), names, synergy, synergy / 0.56, 99.0, 4, p, p, -9.0, (0.1, 0.0),
                    synergy + 0.1, "levels")
        for names, synergy, p in found
    )  # fmt: skip
    return write_report(comparison(), folder / "paired.html", interactions=Interactions(pairs, NAMES, tests=15))


def tab(page, name):
    """Open the tab, wait until its plots fit, and give its panel."""
    page.get_by_role("tab", name=name, exact=True).click()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    return page.get_by_role("tabpanel", name=name, exact=True)


def overflow(page):
    return page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")


# -- what is there -------------------------------------------------------------------------------------------


def test_it_opens_with_the_answer(visit, report):
    page = visit(report)
    assert page.title() == "At least 2 features, chosen by jmi."
    assert page.get_by_role("heading", level=1).inner_text() == page.title()
    assert page.locator(".card .title").first.inner_text().split() == ["1", "age"]
    assert page.locator(".predicting").inner_text() == "Predicting sick from 6 columns and 120 rows"
    assert page.get_by_role("tab").all_inner_texts() == TABS


def test_one_selection_has_only_its_own_tabs(visit, single):
    page = visit(single)
    assert page.get_by_role("tab").all_inner_texts() == ["What each adds", "Data", "Reproduce"]
    assert page.locator(".card").count() == 4


@pytest.mark.parametrize("name", TABS)
def test_every_tab_shows_something_and_hides_the_others(visit, report, name):
    panel = tab(visit(report), name)
    assert len(panel.inner_text()) > 80
    assert panel.page.locator("[role=tabpanel]:visible").count() == 1


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1200])
@pytest.mark.parametrize("file", ["report", "single", "hostile"])
def test_nothing_sticks_out(visit, request, file, width, scheme, tmp_path):
    """No sideways scrolling of the page at any tab, and no text of a plot beyond its plot."""
    page = visit(request.getfixturevalue(file), width=width, scheme=scheme)
    for name in page.get_by_role("tab").all_inner_texts():
        tab(page, name)
        assert overflow(page) == 0, name
        outside = page.evaluate(
            """[...document.querySelectorAll("[role=tabpanel]:not([hidden]) .plot svg")].flatMap((svg) => {
                 const frame = svg.getBoundingClientRect();
                 return [...svg.querySelectorAll("text")].filter((text) => {
                   const box = text.getBoundingClientRect();
                   return box.left < frame.left - 2 || box.right > frame.right + 2;
                 }).map((text) => text.textContent);
               })"""
        )
        assert outside == [], name
    assert page.screenshot(path=tmp_path / "page.png", full_page=True)[:4] == b"\x89PNG"


# -- tabs, theme, keyboard -----------------------------------------------------------------------------------


def test_tabs_by_keyboard(visit, report):
    page = visit(report)
    page.get_by_role("tab", name="Accuracy").focus()
    for key, selected in [
        ("ArrowRight", "Stability"), ("End", "Reproduce"), ("ArrowRight", "Accuracy"), ("ArrowLeft", "Reproduce"),
        ("Home", "Accuracy"),
    ]:  # fmt: skip
        page.keyboard.press(key)
        assert page.locator("[role=tab][aria-selected=true]").inner_text() == selected
        assert page.evaluate("document.activeElement.textContent") == selected
        assert page.get_by_role("tabpanel", name=selected).is_visible()
    assert page.locator("[role=tab][tabindex='0']").count() == 1


def test_everything_can_be_reached_by_the_tab_key(visit, report):
    page = visit(report)
    seen = []
    for _ in range(30):
        page.keyboard.press("Tab")
        seen.append(
            page.evaluate(
                """(() => { const at = document.activeElement; const outline = getComputedStyle(at).outlineStyle;
                            return [at.tagName, at.getAttribute("role") || at.className || at.id, outline]; })()"""
            )
        )
    roles = [role for _, role, _ in seen]
    assert roles[0] == "skip"
    assert {"theme", "quiet"} & set(roles)
    assert "tab" in roles
    assert "chip" in roles
    assert all(outline == "solid" or tag in ("BODY", "SELECT", "INPUT") for tag, _, outline in seen)


def test_theme(visit, report):
    page = visit(report, scheme="light")

    def lightness():
        return sum(map(int, re.findall(r"\d+", page.evaluate("getComputedStyle(document.body).backgroundColor"))[:3]))

    assert lightness() > 600
    page.get_by_role("button", name="Dark").click()
    assert lightness() < 150
    page.get_by_role("button", name="Light").click()
    assert lightness() > 600
    page.emulate_media(color_scheme="dark")
    assert lightness() > 600  # what was chosen by hand stays
    page = visit(report, scheme="dark")
    assert lightness() < 150


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_enough_contrast(visit, report, scheme):
    """At least 4.5 to 1 (WCAG AA) between each colour of text and the page."""
    page = visit(report, scheme=scheme)
    ratios = page.evaluate(
        """() => {
             const pen = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
             const bright = (colour) => {
               pen.fillStyle = colour; pen.fillRect(0, 0, 1, 1);
               const [r, g, b] = [...pen.getImageData(0, 0, 1, 1).data].map((c) => c / 255)
                 .map((c) => (c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
               return 0.2126 * r + 0.7152 * g + 0.0722 * b;
             };
             const probe = document.body.appendChild(document.createElement("i"));
             const colour = (name) => { probe.style.color = `var(--${name})`; return getComputedStyle(probe).color; };
             const back = bright(colour("back"));
             return ["ink", "dim", "accent"].map((name) => {
               const front = bright(colour(name));
               return (Math.max(front, back) + 0.05) / (Math.min(front, back) + 0.05);
             });
           }"""
    )
    assert min(ratios) >= 4.5, ratios


# -- plots ---------------------------------------------------------------------------------------------------


def test_every_mark_has_words_for_those_who_do_not_see_it(visit, report):
    page = visit(report)
    spoken = page.evaluate("[...document.querySelectorAll('.plot [role=img]')].map((mark) => mark.ariaLabel)")
    assert (
        "2. height: error rate 10.5\u202f%, score 0.250, alone 0.400, all so far 0.500 nats, error at least"
        " 2.0\u202f%, preferred to weight" in (" ".join(spoken))
    )
    assert "[object" not in " ".join(spoken) + page.locator("body").inner_text()


def test_hover_tells_all_methods_at_a_number_of_features(visit, report):
    page = visit(report)
    plot = page.get_by_role("tabpanel", name="Accuracy").locator(".plot svg")
    plot.scroll_into_view_if_needed()
    box = plot.bounding_box()
    tip = page.locator("#tip")
    assert tip.is_hidden()
    page.mouse.move(box["x"] + 80, box["y"] + box["height"] / 2)
    assert tip.locator("b").inner_text() == "1 feature"
    page.mouse.move(box["x"] + box["width"] - 130, box["y"] + box["height"] / 2)
    assert tip.locator("b").inner_text() == "4 features"
    assert tip.locator("dt").all_inner_texts() == ["jmi", "mrmr", "mim"]  # the least error first
    assert tip.locator("dd").first.inner_text() == "10.0\u202f% ± 0.9"
    page.mouse.move(0, 0)
    assert tip.is_hidden()


def test_plots_are_read_by_keyboard(visit, report):
    page = visit(report)
    page.keyboard.press("Tab")  # the browser shows focus only after a key
    page.get_by_role("tabpanel", name="Accuracy").locator(".plot svg").focus()
    tip = page.locator("#tip b")
    assert tip.inner_text() == "2 features"  # the recommended number
    page.keyboard.press("ArrowRight")
    assert tip.inner_text() == "4 features"
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("ArrowLeft")
    assert tip.inner_text() == "1 feature"
    page.keyboard.press("Escape")
    assert page.locator("#tip").is_hidden()

    tab(page, "Stability").locator(".plot [tabindex='0']").focus()
    assert tip.inner_text() == "mim"
    page.keyboard.press("ArrowDown")
    assert tip.inner_text() == "jmi"


@pytest.mark.parametrize(
    ("name", "heading"),
    [("Stability", "mim"), ("Methods", "mim"), ("What each adds", "1. age"), ("Redundancy", "height – weight")],
)
def test_hover_explains_every_mark(visit, report, name, heading):
    page = visit(report)
    mark = tab(page, name).locator(".plot [role=img]").first
    mark.scroll_into_view_if_needed()
    mark.hover()
    assert page.locator("#tip b").inner_text() == heading


def test_methods_are_switched_off_and_on(visit, report):
    page = visit(report)
    panel = page.get_by_role("tabpanel", name="Accuracy")
    lines = panel.locator("polyline")
    assert lines.count() == 3
    chip = panel.get_by_role("button", name="mrmr")
    chip.click()
    assert chip.get_attribute("aria-pressed") == "false"
    assert sorted(line.get_attribute("data-method") for line in lines.all()) == ["jmi", "mim"]
    chip.press("Enter")
    assert lines.count() == 3


def test_the_judge_can_be_changed(visit, report):
    page = visit(report)
    panel = page.get_by_role("tabpanel", name="Accuracy")
    assert "15\u202f%" in panel.locator(".plot").inner_text()
    assert "25\u202f%" not in panel.locator(".plot").inner_text()
    panel.get_by_label("Judged by").select_option("linear SVM")
    assert "25\u202f%" in panel.locator(".plot").inner_text()  # it errs 5 points more
    assert panel.locator(".ring").count() == 0  # the recommendation is 3-NN's
    panel.get_by_label("all bands").check()
    assert panel.locator("polygon").count() == 3


def test_a_line_is_where_its_numbers_are(visit, report):
    """Marks of jmi, read back in pixels, are as far apart as its errors 0.20, 0.105, 0.10 are."""
    page = visit(report)
    points = page.locator("#evidence polyline[data-method=jmi]").get_attribute("points")
    (x1, y1), (x2, y2), (x4, y4) = [tuple(map(float, point.split(","))) for point in points.split()]
    assert (x4 - x2) / (x2 - x1) == pytest.approx(2.0)
    assert (y4 - y2) / (y2 - y1) == pytest.approx(0.005 / 0.095, rel=1e-6)


# -- stories, roles, addresses -------------------------------------------------------------------------------


def test_a_card_tells_its_story(visit, report):
    page = visit(report)
    page.locator(".card", has_text="age").first.click()
    story = page.get_by_role("dialog")
    assert story.get_by_role("heading").inner_text() == "age"
    assert "Kept. Alone it carries 50\u202f%" in story.inner_text()
    assert "9.5 points higher" in story.inner_text()  # the error without it
    assert page.evaluate("location.hash") == "#feature=age"
    assert story.locator(".plot svg").bounding_box()["width"] > 400
    page.keyboard.press("Escape")
    assert story.is_hidden()
    assert page.evaluate("location.hash") == ""


def test_why_not_is_answered_for_every_column(visit, report):
    page = visit(report)
    for name, words in {
        "weight": "could replace height: they share 80\u202f% of their information",
        "income": "adds little to the kept columns",
        "noise": "exact copy of age",
        "constant": "only one value",
    }.items():
        page.evaluate("(name) => { location.hash = `feature=${name}`; }", name)
        page.wait_for_function("(name) => document.getElementById('story-title')?.textContent === name", arg=name)
        assert words in page.get_by_role("dialog").inner_text()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    assert page.get_by_role("dialog").is_hidden()


def test_a_part_of_the_bar_lists_its_columns(visit, report):
    page = visit(report)
    bar = page.get_by_role("group", name="All columns")
    assert [part.get_attribute("aria-label") for part in bar.get_by_role("button").all()] == [
        "Keep: 2", "Swap: 1", "Not needed: 1", "Copies, constants: 2",
    ]  # fmt: skip
    bar.get_by_role("button", name="Swap: 1").click()
    listed = page.locator("#columns")
    assert column(listed, 0) == ["weight"]
    listed.get_by_role("button", name="weight").click()
    assert "could replace height" in page.get_by_role("dialog").inner_text()
    page.keyboard.press("Escape")
    page.locator(".roles").get_by_role("button", name="Copies, constants 2").click()
    assert set(column(listed, 0)) == {"noise", "constant"}
    page.locator(".roles").get_by_role("button", name="Copies, constants 2").click()
    assert listed.locator("table").count() == 0


def test_what_each_feature_adds(visit, report):
    """Errors where a number was tried: jmi's 20.0, 10.5 and 10.0 % after 1, 2 and 4 features."""
    panel = tab(visit(report), "What each adds")
    error = panel.locator("figure", has=panel.page.get_by_role("heading", name="What each feature adds: error"))
    assert error.locator("circle").count() == 3
    assert [words for words in error.locator("text.halo").all_text_contents() if "%" in words] == [
        "20.0\u202f%", "10.5\u202f%", "10.0\u202f%",
    ]  # fmt: skip
    information = panel.locator("figure", has=panel.page.get_by_role("heading", name="What each feature adds: inf"))
    assert information.locator("rect.best").count() == information.locator("text.name").count() // 2


def test_interactions_are_a_network_and_a_table(visit, paired):
    page = visit(paired)
    panel = tab(page, "Interactions")
    assert "2 pairs of 15 interact" in panel.inner_text()
    widths = [float(edge.get_attribute("stroke-width")) for edge in panel.locator(".edge").all()]
    assert widths == [6.0, 2.0]  # 1 + 5 · synergy / largest
    assert panel.locator(".node").count() == 4
    assert column(panel, 0) == ["height", "age", "age"]
    assert column(panel, 1) == ["income", "weight", "noise"]
    spoken = panel.locator(".plot [role=img]").first
    assert spoken.get_attribute("aria-label") == "height: alone 0.100 nats, income 0.400 nats"
    spoken.click()
    assert "Interacts with\nincome (0.400 nats of synergy)" in page.get_by_role("dialog").inner_text()


def test_columns_that_share_a_row_of_the_map_are_listed(visit, folder):
    """Eighty columns: columns 2 i and 2 i + 1 are alike for i < 20, so that sixty rows are left."""
    names = tuple(f"column {i}" for i in range(80))
    alike = np.eye(80)
    for i in range(20):
        alike[2 * i, 2 * i + 1] = alike[2 * i + 1, 2 * i] = 0.9
    known = replace(
        facts(names), mapped=tuple(range(80)), matrix=tuple(map(tuple, alike.tolist())), merges=_merges(alike)
    )
    page = visit(write_report(comparison(names, columns=known), folder / "many.html"))
    panel = tab(page, "Redundancy")
    assert panel.locator(".plot text.strong").count() == 1  # columns 0 and 1 are kept, and share a row
    assert panel.locator(".plot rect").count() == 60 * 60
    assert "The 80 columns are drawn as 60 rows" in panel.inner_text()
    panel.get_by_text("Columns that share a row").first.click()
    rows = panel.get_by_role("region", name="Columns that share a row").locator("tbody tr")
    assert rows.count() == 20
    rows.first.get_by_role("button", name="column 1", exact=True).click()
    assert page.get_by_role("dialog").get_by_role("heading").inner_text() == "column 1"


def test_a_downloaded_name_is_no_formula(visit, folder):
    names = ("=1+1", "+a", "-b", "@c", "\td", "plain")
    page = visit(write_report(comparison(names, methods={"jmi": 0}), folder / "formulas.html"))
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download CSV").click()
    cells = [line.split(",")[0] for line in saved.value.path().read_text("utf-8").splitlines()[1:]]
    assert cells == ["'=1+1", "'+a", "'-b", "'@c", "'\td", "plain"]


def test_words_are_explained_as_in_the_documents(visit, report):
    page = visit(report)
    page.get_by_text("What the words mean").click()
    words = page.locator(".glossary dt").all_inner_texts()
    defined = (Path(__file__).parents[2] / "docs/glossary.md").read_text("utf-8").lower()
    assert len(words) == 10
    assert all(word.split(" (")[0].split(",")[0].lower() in defined for word in words)
    assert page.locator(".glossary dd").first.is_visible()


def test_names_are_copied_and_saved(visit, report):
    page = visit(report)
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy as Python list").click()
    page.wait_for_function("document.querySelector('.said').textContent === 'Copied.'")
    assert page.evaluate("navigator.clipboard.readText()") == '["age", "height"]'
    with page.expect_download() as saved:
        page.get_by_role("button", name="Download CSV").click()
    lines = saved.value.path().read_text("utf-8").splitlines()
    assert lines[0].startswith("column,role,information_alone")
    assert lines[1].startswith("age,kept,0.5,1,height,0.1")
    assert len(lines) == 1 + len(NAMES)


def test_theme_and_tab_survive_a_reload(visit, report):
    page = visit(report)
    tab(page, "Stability")
    page.get_by_role("button", name="Dark theme").click()
    page.reload()
    assert page.get_by_role("tabpanel", name="Stability").is_visible()
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    page.get_by_role("button", name="Light theme").click()
    page.evaluate("localStorage.clear()")


def test_a_caution_leads_to_its_evidence(visit, report):
    page = visit(report)
    page.get_by_role("link", name="largest number tried").click()
    assert page.get_by_role("tabpanel", name="Accuracy").is_visible()
    assert page.evaluate("location.hash") == "#tab=accuracy"


def test_no_serious_finding_of_axe(visit, report, hostile, paired):
    """axe-core, from the package axe-core-python or beside the tests (npm install axe-core)."""
    source = next((path for path in AXE if path.exists()), None)
    if source is None:
        pytest.skip("axe-core is not installed: pip install axe-core-python")
    for file, scheme in ((report, "light"), (report, "dark"), (hostile, "light"), (paired, "light"), (paired, "dark")):
        page = visit(file, scheme=scheme, bypass_csp=True)
        page.evaluate(source.read_text("utf-8"))
        for name in page.get_by_role("tab").all_inner_texts():
            tab(page, name)
            found = page.evaluate("axe.run().then((told) => told.violations)")
            serious = [
                (one["id"], one["nodes"][0]["html"][:120]) for one in found if one["impact"] in ("critical", "serious")
            ]
            assert serious == [], name


# -- tables --------------------------------------------------------------------------------------------------


def column(panel, number):
    return [row.split("\t")[number].strip() for row in panel.locator("tbody tr").all_inner_texts()]


def test_sorting(visit, report):
    panel = tab(visit(report), "Features")
    assert column(panel, 0)[:2] == ["age", "height"]  # jmi's most frequent first
    head = panel.get_by_role("columnheader", name="feature")
    head.get_by_role("button").click()
    assert column(panel, 0) == sorted(column(panel, 0))
    assert head.get_attribute("aria-sort") == "ascending"
    head.get_by_role("button").press("Enter")
    assert column(panel, 0) == sorted(column(panel, 0), reverse=True)
    panel.get_by_role("columnheader", name="mim").get_by_role("button").click()
    assert set(column(panel, 0)[:2]) == {"noise", "income"}  # the two that mim always chose
    assert panel.locator("th[aria-sort]").count() == 1


def test_empty_cells_sort_last_either_way(visit, report):
    panel = tab(visit(report), "What each adds")
    head = panel.get_by_role("columnheader", name="all so far").get_by_role("button")
    head.click()
    assert column(panel, 1)[-1] == "income"
    head.click()
    assert column(panel, 1)[-1] == "income"


def test_filtering(visit, report):
    panel = tab(visit(report), "Features")
    box = panel.get_by_label("Find a feature")
    box.fill("EIGHT")
    assert set(column(panel, 0)) == {"height", "weight"}
    assert panel.get_by_role("status").inner_text() == "2 of 2 found"
    box.fill("nothing like it")
    assert panel.locator("tbody tr").count() == 0
    box.fill("")
    assert panel.locator("tbody tr").count() == len(NAMES) - 1


# -- size, hostility, paper ----------------------------------------------------------------------------------


def test_five_thousand_features_stay_light(visit, folder):
    """However many features there are, few nodes are in the page, and an answer to a key draws few anew."""
    names = tuple(f"feature number {i}" for i in range(5000))
    chosen = comparison(names).chosen
    chosen = chosen.assign(feature=chosen["feature"] * 800 + chosen["resample"])
    page = visit(
        write_report(comparison(names, chosen=chosen, final=selection(names, k=2000), path=None), folder / "wide.html")
    )
    small = visit(write_report(comparison(), folder / "small.html"))
    count = "document.getElementsByTagName('*').length"
    assert page.evaluate(count) < small.evaluate(count) + 3000
    panel = tab(page, "Data")
    assert panel.locator("tbody tr").count() == 60
    panel.get_by_label("Find a column").fill("number 4999")
    assert column(panel, 0) == ["feature number 4999"]
    panel.get_by_label("Find a column").fill("")
    panel.get_by_role("columnheader", name="column").get_by_role("button").click()
    panel.get_by_role("columnheader", name="column").get_by_role("button").click()
    assert column(panel, 0)[0] == "feature number 4999"
    panel.get_by_role("button", name="Show 300 more").click()
    assert panel.locator("tbody tr").count() == 360
    assert tab(page, "What each adds").locator(".plot text.name").count() <= 45


def test_hostile_names_are_text(visit, hostile):
    page = visit(hostile)
    assert page.title() == "At least 4 features, chosen by <i>jmi</i>."
    assert page.locator(".card bdi").first.inner_text() == HOSTILE[0]
    for name in page.get_by_role("tab").all_inner_texts():
        tab(page, name)
    assert page.locator("img, i, main script").count() == 0
    assert page.locator("bdi", has_text=HOSTILE[2]).count() > 0
    assert page.locator("bdi", has_text="a" * 2000).count() == 0  # cut, whole in the title
    assert page.locator(f"bdi[title='{'a' * 2000}']").count() > 0


def test_print_shows_every_section(visit, report, tmp_path):
    page = visit(report)
    tab(page, "Data")
    page.emulate_media(media="print")
    for name in TABS:
        heading = page.get_by_role("heading", level=2, name=name, exact=True)
        assert heading.is_visible(), name
    assert page.get_by_role("tablist").is_hidden()
    assert page.locator(".plot svg:visible").count() == 10
    assert all(svg.bounding_box()["height"] > 40 for svg in page.locator(".plot svg").all())
    page.emulate_media(media="null")
    pdf = page.pdf(path=tmp_path / "report.pdf", format="A4")
    assert pdf[:4] == b"%PDF"
    assert len(re.findall(rb"/Type\s*/Page\b", pdf)) >= 4


def test_without_scripts_the_answer_is_still_read(browser, report):
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(report.as_uri())
    assert page.get_by_role("heading", level=1).inner_text() == "At least 2 features, chosen by jmi."
    assert "Keep age and height." in page.locator("main").inner_text()
    context.close()


def test_a_regression(visit, folder):
    made = replace(comparison(task="regression"), estimators=("3-NN", "linear SVM"))
    page = visit(write_report(made, folder / "regression.html"))
    assert "standard deviations of the target" in page.locator("#answer").inner_text()
    assert "%" not in page.get_by_role("tabpanel", name="Accuracy").locator(".plot").inner_text()
