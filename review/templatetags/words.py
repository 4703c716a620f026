"""Words of closed sets in templates: ``{{ review.decision|decision_word }}``."""

from django import template

from review.views.known_words import decision_word, kind_word, operator_word, validation_word
from review.views.told import told

register = template.Library()

for _word in (decision_word, kind_word, operator_word, told, validation_word):
    register.filter(_word.__name__, _word)
