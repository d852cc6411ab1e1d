"""The site's directory: users, their groups, and password checks.

A leaf: it knows LDAP and its settings, nothing of the portal or the Hub.
"""

from portal.directory.ldap import LdapDirectory
from portal.directory.rate import FailureGate, LoginGate, TooManyFailures
from portal.directory.user import Directory, DirectoryUser, Group, Listing, Person, is_member, normalise

__all__ = [
    "Directory",
    "DirectoryUser",
    "FailureGate",
    "Group",
    "LdapDirectory",
    "Listing",
    "LoginGate",
    "Person",
    "TooManyFailures",
    "is_member",
    "normalise",
]
