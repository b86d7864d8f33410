"""The jobs of a class: planned, run here or on a cluster, and the results that are their state."""
