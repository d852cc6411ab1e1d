"""Batch jobs: composed, checked, submitted as their user, watched, and remembered after Slurm has forgotten them."""
