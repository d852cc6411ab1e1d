"""What policy and forms need to know about the cluster: partitions, reservations, when a request could start."""
