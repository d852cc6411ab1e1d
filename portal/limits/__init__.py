"""The limits that administrators set at run time for users and groups, and what counts towards them."""
