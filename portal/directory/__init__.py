"""The site's directory: users, their groups, and password checks.

A leaf: it knows LDAP and its settings, nothing of the portal or the Hub.
"""

from portal.directory.ldap import LdapDirectory
from portal.directory.rate import LoginGate, TooManyLogins
from portal.directory.user import Directory, DirectoryUser, Group, Listing, Person, is_member, normalise

__all__ = [
    "Directory",
    "DirectoryUser",
    "Group",
    "LdapDirectory",
    "Listing",
    "LoginGate",
    "Person",
    "TooManyLogins",
    "is_member",
    "normalise",
]
