"""Measurements of speed and memory; each is run by itself and prints JSON."""
