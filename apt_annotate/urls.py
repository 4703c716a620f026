"""The project's addresses, and what answers where no view does."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("api/v1/", include("review.api.urls")),
    path("admin/", admin.site.urls),
    path("", include("review.urls")),
]
handler400 = "review.api.problems.bad_request"
handler500 = "review.api.problems.server_error"
