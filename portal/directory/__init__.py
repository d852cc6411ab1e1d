"""The site's directory: accounts, their groups, and password checks.

A leaf: it knows LDAP and its settings, nothing of the portal or the Hub.
"""

from portal.directory.account import Account, Directory, Group, Listing, Person, is_member, normalise
from portal.directory.ldap import LdapDirectory
from portal.directory.rate import LoginGate, TooManyLogins

__all__ = [
    "Account",
    "Directory",
    "Group",
    "LdapDirectory",
    "Listing",
    "LoginGate",
    "Person",
    "TooManyLogins",
    "is_member",
    "normalise",
]
