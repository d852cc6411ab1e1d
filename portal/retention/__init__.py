"""Deletes rows that are older than the site keeps them."""
