"""Why a number is undefined, in the words that people and files read."""

NO_LABELS = "No labels yet"
NOT_PAIRABLE = "0 items have 2 or more labels"
ONE_LABEL = "only one label used"
ONE_DECLARED = "fewer than two labels are declared"
NO_FIXED_LABELS = "answers are sets: no fixed list of labels"
NO_PAIR = "0 items have labels of both"
ONE_PAIR_LABEL = "both used only one and the same label"
LABEL_UNUSED = "the label is not used on items with 2 or more labels"
ALL_UNDEFINED = "no resample has two different labels"


def shown(label: object) -> str:
    """Return a label as people read it; a set as its members in order."""
    if isinstance(label, frozenset):
        return "{" + ", ".join(sorted(map(str, label))) + "}"
    return str(label)
