"""Tells which operators and models make options that reviewers call wrong in themselves."""

from collections import Counter
from dataclasses import dataclass

from django.db.models import Count

from review.models import OptionVerdict, OptionVerdictValue
from review.services.votes import independent_reviews


@dataclass(frozen=True, slots=True)
class OperatorVerdicts:
    """What reviewers said of the distractors of one operator and model; "" is no model.

    ``options`` are those with a verdict, ``verdicts`` what was said of them, by value.
    """

    operator: str
    model: str
    options: int
    verdicts: Counter[str]

    def share(self, value: OptionVerdictValue) -> float:
        """Return the share of the verdicts that are ``value``, 0 to 1."""
        return self.verdicts[value] / self.verdicts.total()


def operator_verdicts() -> list[OperatorVerdicts]:
    """Return the verdicts of independent reviews by operator and model, in two queries.

    The most complained of first. Gold and operators without a verdict are not there.
    """
    own = OptionVerdict.objects.filter(review__in=independent_reviews()).order_by()
    by = ("option__operator", "option__model")
    options = {
        (operator, model): count
        for operator, model, count in own.values_list(*by).annotate(Count("option", distinct=True))
    }
    verdicts: dict[tuple[str, str], Counter[str]] = {}
    for operator, model, verdict, count in own.values_list(*by, "verdict").annotate(Count("pk")):
        verdicts.setdefault((operator, model), Counter())[verdict] = count
    found = [
        OperatorVerdicts(operator, model, options[operator, model], counts)
        for (operator, model), counts in verdicts.items()
    ]
    return sorted(
        found,
        key=lambda one: (one.share(OptionVerdictValue.VALID), one.operator, one.model),
    )
