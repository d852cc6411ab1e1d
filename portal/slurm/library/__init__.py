"""Reads Slurm through its own library, with pyslurm.

pyslurm runs in a child process (`child`), since its calls block a whole process while slurmctld works, and can crash
it. `child_process` keeps the child alive and bounded, `rows` turns its output into values, and `client` tries it before
Slurm's commands.
"""
