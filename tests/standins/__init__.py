"""Programs that stand in for apps this repository cannot bring, behaving as the real ones do at their edges."""
