"""Words of closed sets in templates: ``{{ review.decision|decision_word }}``."""

from django import template

from review.views.known_words import (
    decision_word,
    kind_word,
    operator_word,
    scope_words,
    validation_word,
    value_word,
)
from review.views.told import is_told, told, told_all

register = template.Library()

_WORDS = (
    decision_word,
    is_told,
    kind_word,
    operator_word,
    scope_words,
    told,
    told_all,
    validation_word,
    value_word,
)
for _word in _WORDS:
    register.filter(_word.__name__, _word)
