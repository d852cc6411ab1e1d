"""The state of the parts that the portal depends on: what answers, what does not, and since when."""
