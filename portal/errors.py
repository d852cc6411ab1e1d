"""The exception tree of the portal.

    PortalError                    500  internal
    ├── ConfigurationError         500  configuration
    ├── InstallFailed              500  install_failed       (an environment could not be made)
    ├── InvalidRequest             422  invalid_request      (fields say where)
    │   ├── PolicyRefused          422  policy_refused       (fields say which limit)
    │   ├── SlurmRefused           422  slurm_refused        (Slurm understood and refused)
    │   ├── DiskFull               422  disk_full
    │   └── QuotaReached           422  quota
    ├── NotAuthenticated           401  not_authenticated
    ├── HelloWanted                401  hello_wanted         (agents alone)
    ├── Forbidden                  403  forbidden
    │   └── ReadOnly               403  read_only            (the file system)
    ├── NotFound                   404  not_found
    ├── Conflict                   409  conflict
    │   ├── Exists                 409  exists               (a file or folder of that name)
    │   └── ChangedMeanwhile       412  changed_meanwhile    (by somebody else, since it was read)
    ├── Gone                       410  gone
    ├── TooLarge                   413  too_large
    ├── ChecksumMismatch           460  checksum_mismatch    (tus 1.0)
    ├── TooManyRequests            429  too_many_requests
    └── Unavailable                503  unavailable          (an outside service does not answer)
        ├── SlurmUnavailable       503  slurm_unavailable
        ├── FilesUnavailable       503  files_unavailable
        ├── DatabaseUnavailable    503  database_unavailable (away, or full)
        ├── DirectoryUnavailable   503  directory_unavailable
        ├── HubUnavailable         503  hub_unavailable
        └── OutcomeUnknown         503  outcome_unknown      (it may have been done: the message says how to find out)

Each class has an HTTP status, a stable `code`, and a `hint`: what the user can do next.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

#: When to try again after an outside service did not answer and nothing more is known.
RETRY_AFTER_S = 5.0


@dataclass(frozen=True)
class FieldProblem:
    """A field of a request and what is wrong with it, in a sentence."""

    field: str
    message: str


class PortalError(Exception):
    status = 500
    code = "internal"
    hint = "Try again; if it happens again, tell the administrators the request id."

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        fields: list[FieldProblem] | None = None,
        retry_after_s: float | None = None,
    ) -> None:
        """`retry_after_s`: when to try again; sent in the Retry-After header."""
        super().__init__(message)
        self.message = message
        self.fields = fields or []
        self.retry_after_s = retry_after_s
        if hint is not None:
            self.hint = hint


class ConfigurationError(PortalError):
    code = "configuration"
    hint = "Fix the configuration and run `portal check`."


class InstallFailed(PortalError):
    code = "install_failed"
    hint = "The previous installation is untouched. Fix the cause and install again."


class InvalidRequest(PortalError):
    status = 422
    code = "invalid_request"
    hint = "Correct the marked fields and send it again."


class PolicyRefused(InvalidRequest):
    code = "policy_refused"


class SlurmRefused(InvalidRequest):
    code = "slurm_refused"
    hint = "Change what Slurm objects to and send it again."


class DiskFull(InvalidRequest):
    code = "disk_full"
    hint = "Delete or move files that are no longer needed, then try again."


class QuotaReached(InvalidRequest):
    code = "quota"
    hint = "Delete or move files that are no longer needed, or ask the administrators for a larger quota."


class NotAuthenticated(PortalError):
    status = 401
    code = "not_authenticated"
    hint = "Log in, or send a JupyterHub token in the Authorization header."


class HelloWanted(PortalError):
    """For agents only: the portal has lost the agent's registration, and asks for it again."""

    status = 401
    code = "hello_wanted"
    hint = "Say hello again."


class Forbidden(PortalError):
    status = 403
    code = "forbidden"
    hint = "Ask the administrators if you need this."


class ReadOnly(Forbidden):
    code = "read_only"
    hint = "Choose a folder on another file system."


class NotFound(PortalError):
    status = 404
    code = "not_found"
    hint = "Check the address; the list shows what exists."


class Conflict(PortalError):
    status = 409
    code = "conflict"
    hint = "Reload the page, then decide again."


class Exists(Conflict):
    code = "exists"
    hint = "Choose another name."


class ChangedMeanwhile(Conflict):
    status = 412
    code = "changed_meanwhile"
    hint = "Check its current state, then decide again."


class Gone(PortalError):
    status = 410
    code = "gone"
    hint = "It has ended; start a new one."


class TooLarge(PortalError):
    status = 413
    code = "too_large"
    hint = "Send less."


class ChecksumMismatch(PortalError):
    status = 460
    code = "checksum_mismatch"
    hint = "Send it again."


class TooManyRequests(PortalError):
    status = 429
    code = "too_many_requests"
    hint = "Wait a minute and try again."


class Unavailable(PortalError):
    status = 503
    code = "unavailable"
    hint = "Try again in a minute."
    since: datetime | None = None
    """Since when requests have been refused because its circuit is open."""

    def __init__(
        self,
        message: str,
        *,
        hint: str | None = None,
        fields: list[FieldProblem] | None = None,
        retry_after_s: float | None = RETRY_AFTER_S,
    ) -> None:
        super().__init__(message, hint=hint, fields=fields, retry_after_s=retry_after_s)


class SlurmUnavailable(Unavailable):
    code = "slurm_unavailable"
    hint = "Running sessions continue. Try again in a minute; the page says when Slurm answers again."


class FilesUnavailable(Unavailable):
    code = "files_unavailable"


class DatabaseUnavailable(Unavailable):
    code = "database_unavailable"
    hint = "Running sessions continue. Try again in a minute."


class DirectoryUnavailable(Unavailable):
    code = "directory_unavailable"


class HubUnavailable(Unavailable):
    code = "hub_unavailable"


class OutcomeUnknown(Unavailable):
    code = "outcome_unknown"
    hint = "Check whether it was done before you send it again."
