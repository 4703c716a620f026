"""The project's addresses."""

from django.urls import include, path

urlpatterns = [
    path("", include("review.urls")),
]
