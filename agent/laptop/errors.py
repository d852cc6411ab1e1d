"""Errors, each with a sentence for the user."""

from __future__ import annotations


class Failure(Exception):
    """Ends the program with a sentence that says what to do."""


class NotLoggedIn(Failure):
    """The portal does not know this device, or no longer."""


class NoAnswer(Failure):
    """Nothing came back: the request may have been carried out."""
