"""Embedders and chat models."""
