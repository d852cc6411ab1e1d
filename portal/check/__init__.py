"""`portal check`: examines a site and says in words what is missing and what to do."""

from portal.check.run import run

__all__ = ["run"]
