"""Code that runs as the user on the compute nodes. Neither the portal nor the Hub imports it.

`job` is the session agent inside the Slurm job; `lab` extends the session's JupyterLab; `kernel` is what its notebooks
can import. `build` packs them into one file.
"""
