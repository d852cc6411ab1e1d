"""What runs as the user, on the compute nodes; nothing here is imported by the portal or the Hub.

`job` is the session agent, in the Slurm job; `lab` extends the session's JupyterLab, and `kernel` is what its notebooks
can import. `build` makes one file of them.
"""
