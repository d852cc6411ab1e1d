"""Shares: who may open the app or a port of somebody else's session, and until when."""
