"""Addresses of the review app."""

from django.contrib.auth import views as auth
from django.urls import path
from django.views.generic import RedirectView

from review.forms import LoginForm
from review.views import (
    agreement,
    comparing,
    dispute_parts,
    disputes,
    home,
    item_page,
    item_parts,
    items,
    language,
    parts,
    probes,
    review_page,
    saving,
    undo,
)

urlpatterns = [
    path("", RedirectView.as_view(pattern_name="queue"), name="home"),
    path(
        "login/",
        auth.LoginView.as_view(redirect_authenticated_user=True, authentication_form=LoginForm),
        name="login",
    ),
    path("logout/", auth.LogoutView.as_view(), name="logout"),
    path("language/", language.choose_language, name="language"),
    path("health", probes.health, name="health"),
    path("ready", probes.ready, name="ready"),
    path("queue/", home.queue, name="queue"),
    path("queue/next", home.next_item, name="next-item"),
    path("review/<int:pk>/", review_page.review_page, name="review"),
    path("review/<int:pk>/draft", saving.draft, name="draft"),
    path("review/<int:pk>/lease", saving.lease, name="lease"),
    path("review/<int:pk>/skip", saving.skip_item, name="skip"),
    path("review/<int:pk>/undo", undo.undo, name="undo"),
    path("review/<int:pk>/what-follows", parts.what_follows, name="what-follows"),
    path(
        "review/<int:pk>/step/<int:number>/piece/<int:piece>", parts.step_piece, name="step-piece"
    ),
    path("review/<int:pk>/step/<int:number>/raw", parts.step_raw, name="step-raw"),
    path(
        "review/<int:pk>/section/<slug:name>/piece/<int:piece>",
        parts.section_piece,
        name="section-piece",
    ),
    path("review/<int:pk>/compare", comparing.compare_options, name="compare"),
    path("review/<int:pk>/section/<slug:name>/raw", parts.section_raw, name="section-raw"),
    path("agreement/", agreement.agreement, name="agreement"),
    path("agreement/reviews.<slug:suffix>", agreement.raw_table, name="raw-table"),
    path("items/", items.items, name="items"),
    path("items/items.<slug:suffix>", items.items_file, name="items-file"),
    path("items/<int:pk>/", item_page.item, name="item"),
    path(
        "items/<int:pk>/step/<int:number>/piece/<int:piece>",
        item_parts.step_piece,
        name="item-step-piece",
    ),
    path("items/<int:pk>/step/<int:number>/raw", item_parts.step_raw, name="item-step-raw"),
    path(
        "items/<int:pk>/section/<slug:name>/piece/<int:piece>",
        item_parts.section_piece,
        name="item-section-piece",
    ),
    path("items/<int:pk>/section/<slug:name>/raw", item_parts.section_raw, name="item-section-raw"),
    path("disputes/", disputes.disputes, name="disputes"),
    path("disputes/<int:pk>/", disputes.dispute, name="dispute"),
    path(
        "disputes/<int:pk>/step/<int:number>/piece/<int:piece>",
        dispute_parts.step_piece,
        name="dispute-step-piece",
    ),
    path(
        "disputes/<int:pk>/step/<int:number>/raw",
        dispute_parts.step_raw,
        name="dispute-step-raw",
    ),
    path(
        "disputes/<int:pk>/section/<slug:name>/piece/<int:piece>",
        dispute_parts.section_piece,
        name="dispute-section-piece",
    ),
    path(
        "disputes/<int:pk>/section/<slug:name>/raw",
        dispute_parts.section_raw,
        name="dispute-section-raw",
    ),
]
