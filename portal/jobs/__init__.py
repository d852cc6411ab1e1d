"""Batch jobs: composed and checked, submitted as their user, watched, read, and remembered when Slurm has forgotten."""
