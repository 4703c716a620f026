"""Every importer by its kind: the one list that the import command offers."""

from collections.abc import Mapping
from types import MappingProxyType

from generation.core.importers import (
    aptbench,
    deepresearch_bench,
    github_issues,
    infodeepseek,
    label_studio,
    mini_swe_agent,
    openhands,
    predictions,
    readme,
    researchy_questions,
    swe_agent,
    swe_bench,
    swe_smith,
)
from generation.core.importers.importer import Importer

IMPORTERS: Mapping[str, Importer] = MappingProxyType(
    {
        importer.kind: importer
        for importer in (
            aptbench.IMPORTER,
            deepresearch_bench.IMPORTER,
            github_issues.IMPORTER,
            infodeepseek.IMPORTER,
            label_studio.IMPORTER,
            mini_swe_agent.IMPORTER,
            openhands.IMPORTER,
            predictions.IMPORTER,
            readme.IMPORTER,
            researchy_questions.IMPORTER,
            swe_agent.IMPORTER,
            swe_bench.IMPORTER,
            swe_smith.IMPORTER,
        )
    }
)
