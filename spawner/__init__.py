"""What JupyterHub loads: the spawner, the authenticators, the form, the Hub's pages and its configuration."""
