"""The app that holds sources, candidates and checks."""

from django.apps import AppConfig


class GenerationConfig(AppConfig):
    """Configuration of ``generation``."""

    name = "generation"
    verbose_name = "Sources and candidates"
