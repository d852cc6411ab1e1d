"""Reads Slurm through its own library, by pyslurm: in a child process (`child`), since its calls stop a whole process
for as long as slurmctld takes and can end it; kept alive and bounded by `keeper`; read as values by `rows`; and put
before Slurm's commands by `client`.
"""
