"""Environment modules: what a site offers to `module load`, and whether a user's choice loads."""
