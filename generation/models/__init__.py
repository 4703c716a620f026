"""The tables of sources, candidates, checks and the audit trail."""

from generation.models.audit import AuditEvent
from generation.models.candidate import Candidate, CandidateState, Option, Revision
from generation.models.finding import Finding
from generation.models.generation_run import GenerationRun, RunState
from generation.models.job import Job, JobKind, JobLeftOut, JobState, Left
from generation.models.llm_call import CallState, LLMCall
from generation.models.model_endpoint import ModelEndpoint
from generation.models.prompt_template import PromptTemplate
from generation.models.source import Section, Source, SourceForm, Step
from generation.models.text import Text

__all__ = [
    "AuditEvent",
    "CallState",
    "Candidate",
    "CandidateState",
    "Finding",
    "GenerationRun",
    "Job",
    "JobKind",
    "JobLeftOut",
    "JobState",
    "LLMCall",
    "Left",
    "ModelEndpoint",
    "Option",
    "PromptTemplate",
    "Revision",
    "RunState",
    "Section",
    "Source",
    "SourceForm",
    "Step",
    "Text",
]
