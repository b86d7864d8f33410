"""Renderings for people and learning platforms, one module a format."""
