"""Environment modules: what a site offers to `module load`, and whether what a user chose loads."""
