"""The live Cluster page: its snapshot, the changes to it, and the history of use."""
