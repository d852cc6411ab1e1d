"""`portal check`: examines a site and reports what is missing and what to do."""

from portal.check.run import run

__all__ = ["run"]
