"""Addresses of the API, version 1."""

from django.urls import path, re_path

from review.api.views import (
    agreement,
    assignments,
    candidates,
    disputes,
    edits,
    me,
    releases,
    remarks,
    reviews,
    sources,
    turns,
)

app_name = "api"
_TURN = "assignments/<int:pk>"

urlpatterns = [
    path("schema", me.Schema.as_view(), name="schema"),
    path("me", me.Me.as_view(), name="me"),
    path("next", assignments.Next.as_view(), name="next"),
    path("assignments", assignments.Assignments.as_view(), name="assignments"),
    path(_TURN, assignments.OneAssignment.as_view(), name="assignment"),
    path(f"{_TURN}/blind", assignments.Blind.as_view(), name="blind"),
    path(f"{_TURN}/review", assignments.OneReview.as_view(), name="review"),
    path(f"{_TURN}/submit", assignments.Submit.as_view(), name="submit"),
    path(f"{_TURN}/edit", edits.TurnEdit.as_view(), name="edit"),
    path(f"{_TURN}/draft", turns.Draft.as_view(), name="draft"),
    path(f"{_TURN}/lease", turns.Lease.as_view(), name="lease"),
    path(f"{_TURN}/skip", turns.Skip.as_view(), name="skip"),
    path(f"{_TURN}/undo", turns.Undo.as_view(), name="undo"),
    path(f"{_TURN}/what-follows", turns.WhatFollows.as_view(), name="what-follows"),
    path(f"{_TURN}/notes", remarks.Notes.as_view(), name="notes"),
    path(f"{_TURN}/questions", remarks.Questions.as_view(), name="questions"),
    path("sources", sources.Sources.as_view(), name="sources"),
    path("sources/<int:pk>", sources.OneSource.as_view(), name="source"),
    path("sources/<int:pk>/steps", sources.Steps.as_view(), name="steps"),
    path("candidates", candidates.Candidates.as_view(), name="candidates"),
    path("candidates/<int:pk>", candidates.OneCandidate.as_view(), name="candidate"),
    path("candidates/<int:pk>/open", candidates.Open.as_view(), name="open-candidate"),
    path("candidates/<int:pk>/edit", edits.CandidateEdit.as_view(), name="edit-candidate"),
    path("findings", candidates.Findings.as_view(), name="findings"),
    path("reviews", reviews.Reviews.as_view(), name="reviews"),
    path("agreement", agreement.AgreementView.as_view(), name="agreement"),
    path("disputes", disputes.Disputes.as_view(), name="disputes"),
    path("disputes/<int:pk>", disputes.OneDispute.as_view(), name="dispute"),
    path("disputes/<int:pk>/decision", disputes.Decision.as_view(), name="decision"),
    path("releases", releases.Releases.as_view(), name="releases"),
    path("releases/<str:version>", releases.OneRelease.as_view(), name="release"),
    path("releases/<str:version>/items", releases.Items.as_view(), name="release-items"),
    path("releases/<str:version>/files/<path:path>", releases.File.as_view(), name="release-file"),
    re_path("", me.NoSuchAddress.as_view(), name="no-such-address"),
]
