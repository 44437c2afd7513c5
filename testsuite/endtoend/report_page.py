"""report_page.py PAGE [REPORT [SCHEMA]]: a page stands alone, its tags are closed, and it shows what the report (JSON) says:

- each number names its place in the report, has the text that stands there, and is shown as that value is rounded;
- each loop has a bar, a row and a part of its own; calls that ran in a group have no bar, and their number is all that is shown;
- times, rates and resources of each loop are shown;
- the report is as its schema says, if Python's jsonschema is there (./check installs it).

Without a report: the page alone, --cleave-explain's for instance. Prints what is wrong; the exit code says whether
anything is."""
import json
import re
import sys
from html.parser import HTMLParser

VOID = {"meta", "br", "hr", "img", "link", "input", "wbr"}
UNIT = {"": 1.0, "s": 1.0, "ms": 1e-3, "µs": 1e-6, "ns": 1e-9, "B": 1.0, "kB": 1e3, "MB": 1e6, "GB": 1e9, "TB": 1e12,
        "GB/s": 1.0, "%": 0.01, "/s": 1.0, "k/s": 1e3, "M/s": 1e6, "G/s": 1e9, "T/s": 1e12}


class Page(HTMLParser):
    """Tags that are open, numbers with their places, ids, links and texts."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.open, self.wrong, self.numbers, self.ids, self.links, self.text = [], [], [], set(), [], []
        self.number = None

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if tag in ("script", "iframe", "object", "embed", "link"):
            self.wrong.append(f"<{tag}>")
        for name, value in attributes.items():
            if name.startswith("on") or (name in ("src", "href", "xlink:href") and not value.startswith("#")):
                self.wrong.append(f'<{tag} {name}="{value}">')
        if "id" in attributes:
            if attributes["id"] in self.ids:
                self.wrong.append(f"id {attributes['id']} twice")
            self.ids.add(attributes["id"])
        if tag == "a":
            self.links.append(attributes["href"][1:])
        if "data-path" in attributes:
            self.number = [attributes["data-path"], attributes["data-value"], ""]
            self.numbers.append(self.number)
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.handle_starttag(tag, attributes)
        self.handle_endtag(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            self.wrong.append(f"</{tag}> closes nothing")
        self.number = None

    def handle_data(self, data):
        self.text.append(data)
        if self.number is not None:
            self.number[2] += data


def at(report, path):
    """The value at "loops[0].calls"."""
    for name, index in re.findall(r"([^.\[\]]+)|\[(\d+)\]", path):
        report = report[int(index)] if index else report[name]
    return report


def shown_right(shown, value):
    """Whether "12.3 ms" is 0.01234, rounded."""
    number, _, unit = shown.partition(" ")
    digits = number.replace(",", "")
    step = 10.0 ** -(len(digits.partition(".")[2]))
    return unit in UNIT and abs(float(digits) - value / UNIT[unit]) <= 0.5001 * step


def in_group(loop):
    return loop["variant"].startswith("in ")


def not_shown(rows, seen):
    for place, row in rows:
        for member, value in row.items():
            if isinstance(value, (int, float)) and f"{place}.{member}" not in seen:
                yield f"{place}.{member} is not shown"


def check_numbers(page, report):
    seen = set()
    for path, text, shown in page.numbers:
        seen.add(path)
        try:
            value = at(report, path)
        except (KeyError, IndexError, TypeError):
            yield f"{path} is not in the report"
            continue
        if isinstance(value, bool) or not isinstance(value, (int, float)) or float(text) != value:
            yield f"{path} is {value!r}, not {text}"
        elif not shown_right(shown, value):
            yield f"{path} is {value!r}, shown as '{shown}'"
    for index, loop in enumerate(report["loops"]):
        if in_group(loop):  # only its calls are known
            wrong = [m for m in ("seconds", "seconds_per_call", "bytes_per_call") if f"loops[{index}].{m}" in seen]
            yield from (f"loops[{index}].{m} is shown" for m in wrong)
            loop = {"calls": loop["calls"], "stages": []}
        for member, value in loop.items():
            if isinstance(value, (int, float)) and member not in ("load", "median_seconds") and f"loops[{index}].{member}" not in seen:
                yield f"loops[{index}].{member} is not shown"
        rows = [(f"loops[{index}].stages[{place}]", row) for place, row in enumerate(loop["stages"])]
        yield from not_shown(rows, seen)
    for index, trials in enumerate(report["tuning"]):
        rows = [(f"tuning[{index}].candidates[{place}]", row) for place, row in enumerate(trials["candidates"])]
        yield from not_shown(rows, seen)
    for part in ("host", "waits"):
        for member in report[part]:
            if f"{part}.{member}" not in seen:
                yield f"{part}.{member} is not shown"
    yield from (f"{m} is not shown" for m in ("seconds", "loop_seconds", "plan_seconds") if m not in seen)


def check_loops(page, report):
    text = "".join(page.text)
    for index, loop in enumerate(report["loops"]):
        if text.count(loop["loop"]) < (2 if in_group(loop) else 3) or loop["variant"] not in text or f"loop-{index + 1}" not in page.ids:
            yield f"loop {loop['loop']} is not shown"
    for reason in report["sequential"]:
        if reason["reason"] not in text or reason["file"] not in text:
            yield f"the reason of {reason['loop']} is not shown"


def check_schema(report, name):
    try:
        from jsonschema import Draft202012Validator
    except ImportError:
        return
    with open(name, encoding="utf-8") as file:
        schema = json.load(file)
    Draft202012Validator.check_schema(schema)
    for error in Draft202012Validator(schema).iter_errors(report):
        yield f"{list(error.absolute_path)}: {error.message}"


def main():
    page = Page()
    with open(sys.argv[1], encoding="utf-8") as file:
        source = file.read()
    page.feed(source)
    page.close()
    wrong = page.wrong + [f"<{tag}> is not closed" for tag in page.open]
    wrong += [f"#{link} leads nowhere" for link in page.links if link not in page.ids]
    if not source.startswith("<!DOCTYPE html>") or "http" in re.sub(r"data-value=\"[^\"]*\"", "", source).split("<body>")[0]:
        wrong.append("no HTML, or something is fetched")
    if re.search(r"url\(|@import", source.split("</style>")[0]):
        wrong.append("the style fetches something")
    if len(sys.argv) > 2:
        with open(sys.argv[2], encoding="utf-8") as file:
            report = json.load(file)
        wrong += list(check_numbers(page, report)) + list(check_loops(page, report))
        wrong += check_schema(report, sys.argv[3]) if len(sys.argv) > 3 else []
        if len(page.numbers) < 10:
            wrong.append("hardly any numbers")
    print("\n".join(wrong[:20]))
    sys.exit(bool(wrong))


main()
