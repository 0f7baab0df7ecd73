"""Ways through a fabric: hops, equal-cost paths, latency, oversubscription and guaranteed rates."""
