from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Iterable
from fractions import Fraction
from pathlib import Path

import pytest

from logdocket.errors import BadVerdicts
from logdocket.grading.finding import Verdict
from logdocket.grading.human import Opinion, apply, ask, open_probes, read, template
from logdocket.grading.report.document import Judged, Report, Score

from .report.reports import EVIL, PLAIN

ARGUED = "communication/runbook/argued"
STARTS = "failure/service/starts"
UNASKED = "reproducibility/tests/offline"


def written(folder: Path, text: str, name: str = "verdicts.toml") -> Path:
    """A file of verdicts."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def probe(report: Report, name: str) -> Judged:
    """The probe of that id."""
    return next(one for one in report.probes if one.id == name)


# Reading.


@pytest.mark.parametrize(
    ("verdict", "share"),
    [
        ('"pass"', Fraction(1)),
        ('"fail"', Fraction(0)),
        ("0.5", Fraction(1, 2)),
        ("0.333", Fraction(333, 1000)),
        ("1", Fraction(1)),
        ("0.0", Fraction(0)),
    ],
)
def test_a_verdict_is_a_word_or_a_share(tmp_path: Path, verdict: str, share: Fraction) -> None:
    """In TOML and JSON alike."""
    toml = written(tmp_path, f'["{ARGUED}"]\nverdict = {verdict}\nnote = "Fair."\n')
    as_json = written(
        tmp_path, f'{{"{ARGUED}": {{"verdict": {verdict}, "note": "Fair."}}}}', "verdicts.json"
    )
    assert read(toml) == read(as_json) == {ARGUED: Opinion(share, "Fair.")}


def test_a_table_without_a_verdict_leaves_the_points(tmp_path: Path) -> None:
    """And its note is kept."""
    path = written(tmp_path, f'["{ARGUED}"]\nnote = "Later."\n["{STARTS}"]\n')
    assert read(path) == {ARGUED: Opinion(None, "Later."), STARTS: Opinion(None)}


@pytest.mark.parametrize(
    ("text", "mend"),
    [
        ("verdict = ", "is no file of verdicts: "),
        ('format = "logdocket-grade/1"', '"format" is no table: write verdict = "pass"'),
        ('["a/b"]\nverdict = 2', '"a/b" has the verdict 2: write "pass", "fail" or a share'),
        ('["a/b"]\nverdict = -0.1', '"a/b" has the verdict -0.1: '),
        ('["a/b"]\nverdict = nan', '"a/b" has the verdict nan: '),
        ('["a/b"]\nverdict = true', '"a/b" has the verdict True: '),
        ('["a/b"]\nverdict = "good\\u001b"', '"a/b" has the verdict good\\x1b: '),
        ('["a/b"]\npoints = 1', '"a/b" has points: its keys are verdict and note'),
        ('["a/b"]\nnote = 1', '"a/b" has a note that is no text: put it in quotes'),
    ],
    ids=ascii,
)
def test_what_is_no_verdict_is_refused(tmp_path: Path, text: str, mend: str) -> None:
    """In one line that names the probe and the mend."""
    with pytest.raises(BadVerdicts) as refused:
        read(written(tmp_path, text))
    assert mend in str(refused.value)
    assert str(refused.value).isprintable()


@pytest.mark.parametrize("text", ["[]", "1", "[" * 100_000, '{"a": 1e999', "{"], ids=range(5))
def test_other_json_is_refused(tmp_path: Path, text: str) -> None:
    """However it is wrong."""
    with pytest.raises(BadVerdicts, match=r"verdicts\.json"):
        read(written(tmp_path, text, "verdicts.json"))


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path) -> None:
    """With the reason."""
    with pytest.raises(BadVerdicts, match=r"nowhere\.toml cannot be read: No such file"):
        read(tmp_path / "nowhere.toml")
    (tmp_path / "bytes.toml").write_bytes(b"\xff")
    with pytest.raises(BadVerdicts, match="is no file of verdicts"):
        read(tmp_path / "bytes.toml")


# Applying.


@pytest.mark.parametrize(
    ("share", "verdict", "total"),
    [
        (Fraction(1), Verdict.PASS, Score(47.5, 72.5, 100.0)),
        (Fraction(1, 3), Verdict.PARTIAL, Score(43.5, 68.5, 100.0)),
        (Fraction(0), Verdict.FAIL, Score(41.5, 66.5, 100.0)),
    ],
)
def test_an_opinion_closes_what_was_open(share: Fraction, verdict: Verdict, total: Score) -> None:
    """And the scores follow, of the area and of all."""
    made = apply(PLAIN, {ARGUED: Opinion(share, "Fair.")})
    one = probe(made, ARGUED)
    assert (one.verdict, one.judge, one.note) == (verdict, "person", "Fair.")
    assert made.score == total
    assert made.areas[3].score.low == made.areas[3].score.high == 9 + one.score.low


def test_a_person_may_grant_what_was_not_asked() -> None:
    """It is skipped no more."""
    made = apply(PLAIN, {UNASKED: Opinion(Fraction(1))})
    assert probe(made, UNASKED).verdict is Verdict.PASS
    assert made.score == Score(66.5, 72.5, 100.0)


def test_a_person_overrules_the_program() -> None:
    """What the program said and saw stays in the report."""
    made = apply(PLAIN, {STARTS: Opinion(Fraction(1))})
    one = probe(made, STARTS)
    assert (one.verdict, one.judge, one.program) == (Verdict.PASS, "person", Verdict.FAIL)
    assert one.seen == probe(PLAIN, STARTS).seen
    assert made.score.low == PLAIN.score.low + 15


def test_the_programs_verdict_outlives_a_second_opinion() -> None:
    """A person's own first one is nobody's business."""
    once = apply(PLAIN, {STARTS: Opinion(Fraction(1))})
    twice = apply(once, {STARTS: Opinion(Fraction(1, 2), "Only at times.")})
    assert probe(twice, STARTS).program is Verdict.FAIL
    assert probe(twice, STARTS).verdict is Verdict.PARTIAL


def test_no_opinion_changes_nothing() -> None:
    """Nor does one that gives no verdict, but for its note."""
    assert apply(PLAIN, {}) == PLAIN
    made = apply(PLAIN, {ARGUED: Opinion(None, "Later.")})
    assert made.score == PLAIN.score
    assert probe(made, ARGUED).judge == "program"
    assert probe(made, ARGUED).note == "Later."


@pytest.mark.parametrize(
    ("name", "mend"),
    [
        ("communication/runbok/argued", f'did you mean "{ARGUED}"?'),
        ("zzz", "see the ids that --write-verdicts gives"),
        ("a\x1b[2J", 'no probe "a\\x1b[2J"'),
    ],
)
def test_an_unknown_probe_is_refused_with_the_nearest(name: str, mend: str) -> None:
    """In one line."""
    with pytest.raises(BadVerdicts) as refused:
        apply(PLAIN, {name: Opinion(Fraction(1))})
    assert mend in str(refused.value)
    assert str(refused.value).isprintable()


# The file to fill in.


@pytest.mark.parametrize("report", [PLAIN, EVIL], ids=["plain", "evil"])
def test_an_untouched_template_changes_nothing(tmp_path: Path, report: Report) -> None:
    """It is TOML, and names every open probe, whatever the quotes hold."""
    path = written(tmp_path, template(report))
    opinions = read(path)
    assert list(opinions) == [one.id for one in open_probes(report)] == [UNASKED, ARGUED]
    assert apply(report, opinions) == report


def test_a_template_that_is_filled_in_is_a_file_of_verdicts(tmp_path: Path) -> None:
    """By taking the mark from a line."""
    text = template(PLAIN).replace('# verdict = "pass"', 'verdict = "pass"')
    made = apply(PLAIN, read(written(tmp_path, text)))
    assert made.score == Score(72.5, 72.5, 100.0)


def test_a_template_shows_the_quotes() -> None:
    """As comments above the probe."""
    text = template(PLAIN)
    assert "# | ## Trade-offs\n# |\n# | A queue would cost more.\n" in text
    assert "# 6 of its 6 points are open.\n" in text
    assert all(line.isprintable() for line in template(EVIL).split("\n"))
    assert tomllib.loads(text) == {UNASKED: {}, ARGUED: {}}


def test_ids_are_written_as_toml_reads_them() -> None:
    """JSON's strings are TOML's."""
    assert json.dumps(ARGUED) in template(PLAIN)


# Asking.


def answering(*answers: str) -> tuple[Callable[[str], str], list[str]]:
    """A person who says these one after the other, and what they were asked."""
    asked: list[str] = []
    said: Iterable[str] = iter(answers)

    def prompt(text: str) -> str:
        asked.append(text)
        return next(said)  # type: ignore[call-overload]

    return prompt, asked


@pytest.mark.parametrize(
    ("answer", "verdict", "points", "note"),
    [
        ("p", Verdict.PASS, 6.0, None),
        ("P", Verdict.PASS, 6.0, None),
        ("pass", Verdict.PASS, 6.0, None),
        ("f  no reason is given", Verdict.FAIL, 0.0, "no reason is given"),
        ("0.5 names the cost", Verdict.PARTIAL, 3.0, "names the cost"),
        (".25", Verdict.PARTIAL, 1.5, None),
        ("1", Verdict.PASS, 6.0, None),
        ("0", Verdict.FAIL, 0.0, None),
    ],
)
def test_an_answer_is_a_verdict_and_a_note(
    answer: str, verdict: Verdict, points: float, note: str | None
) -> None:
    """For one open probe after the other."""
    prompt, asked = answering("", answer)
    one = probe(ask(PLAIN, prompt), ARGUED)
    assert (one.verdict, one.score.low, one.note) == (verdict, points, note)
    assert len(asked) == 2


def test_enter_leaves_a_probe_open() -> None:
    """As it was."""
    prompt, asked = answering("", "  ")
    assert ask(PLAIN, prompt) == PLAIN
    assert [text.split("\n")[0] for text in asked] == [f"(1 of 2) {UNASKED}", f"(2 of 2) {ARGUED}"]


@pytest.mark.parametrize(
    "junk", ["yes", "2", "-1", "nan", "1e999999999", "1/0", "50%", "1.5", "٠"], ids=ascii
)
def test_what_is_no_verdict_is_asked_again(junk: str) -> None:
    """Until it is one."""
    prompt, asked = answering("", junk, "p")
    assert probe(ask(PLAIN, prompt), ARGUED).verdict is Verdict.PASS
    assert asked[2].startswith("That is no verdict. p(ass), f(ail), a share")


def test_a_question_shows_the_quotes_safely() -> None:
    """Behind a bar, with nothing that moves the cursor."""
    prompt, asked = answering("", "")
    ask(PLAIN, prompt)
    assert "  | ## Trade-offs\n  | \n  | A queue would cost more.\n" in asked[1]
    prompt, asked = answering("", "")
    ask(EVIL, prompt)
    assert asked
    assert all(line.isprintable() for text in asked for line in text.split("\n"))


def test_a_report_with_nothing_open_asks_nothing() -> None:
    """There is nothing to fill in."""
    closed = apply(PLAIN, {name: Opinion(Fraction(1)) for name in (ARGUED, UNASKED)})
    prompt, asked = answering()
    assert ask(closed, prompt) == closed
    assert asked == []
    assert open_probes(closed) == ()
