from __future__ import annotations

from logdocket.evaluation import Examined, Field, Outcome
from logdocket.evaluation.accuracy import Accuracy

from .conftest import Looked

STAMP = "2026-01-02T15:04:05Z"
LINE = f"{STAMP} ERROR pay: card refused"


def counted(**sets: list[Examined]) -> Accuracy:
    """The counts over these sets."""
    accuracy = Accuracy()
    for name, lines in sets.items():
        assert list(accuracy.add(name, lines)) == lines
    return accuracy


def test_outcomes_are_counted_by_set_and_over_all(look: Looked) -> None:
    """Shares are of the lines that have a label."""
    right = look(LINE, "high", (STAMP,), "pay")
    wrong = look(LINE, "low", ("unknown",))
    accuracy = counted(north=[right, wrong], south=[right, right])
    assert [(tally.name, tally.lines) for tally in accuracy.sets] == [("north", 2), ("south", 2)]
    north, all = accuracy.sets[0], accuracy.all
    assert north.share(Field.SEVERITY, Outcome.WRONG) == 0.5
    assert all.share(Field.SEVERITY, Outcome.WRONG) == 0.25
    assert (north.labelled(Field.SERVICE), all.labelled(Field.SERVICE)) == (1, 3)
    assert north.share(Field.SERVICE, Outcome.RIGHT) == 1


def test_a_field_without_labels_has_no_share(look: Looked) -> None:
    """Nothing of nothing is neither all nor none."""
    assert counted(north=[look(LINE)]).all.share(Field.SEVERITY, Outcome.RIGHT) is None


def test_severities_are_held_against_each_other(look: Looked) -> None:
    """Labelled and given; where no claim was made, unknown, whatever the ticket says."""
    accuracy = counted(
        north=[look(LINE, "critical"), look("nothing to see", "low"), look(LINE)],
        south=[look(LINE, "critical")],
    )
    assert accuracy.all.confusion == {("critical", "high"): 2, ("low", "unknown"): 1}
    assert accuracy.all.bases == {
        "level": {Outcome.WRONG: 2},
        "unstated": {Outcome.UNKNOWN: 1},
    }


def test_the_worst_templates_come_first(look: Looked) -> None:
    """Wrong fields before unknown ones, each template with all its lines; what is well is left
    out, honest unknowns with it.
    """
    accuracy = counted(
        north=[
            look(LINE, "high", (STAMP,), "pay", template="well"),
            look("no time at all", "low", ("unknown",), template="quiet", number=2),
            look("no time at all", "low", (STAMP,), template="quiet", number=3),
            look(LINE, "high", template="mixed", number=4),
            look(LINE, "low", ("unknown",), "shop", template="mixed", number=5),
        ],
        south=[look(LINE, "low", template="mixed", number=9)],
    )
    worst = accuracy.worst(10)
    assert [(f.set, f.template, f.lines, f.first) for f in worst] == [
        ("north", "mixed", 2, 5),
        ("south", "mixed", 1, 9),
        ("north", "quiet", 2, 2),
    ]
    assert worst[0].wrong == {"severity": 1, "first_seen": 1, "service": 1}
    assert worst[2].unknown == {"severity": 2, "first_seen": 1}
    assert accuracy.worst(1) == worst[:1]
    assert accuracy.worst(0) == []
