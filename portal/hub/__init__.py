"""The client of JupyterHub's API and of the proxy's. Only the Hub decides who logs in and which servers exist."""
