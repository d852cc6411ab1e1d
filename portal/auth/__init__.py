"""Who is calling: the Hub's tokens and cookies, the user's account and groups, what they may do."""
