"""Addresses of the review app."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
