"""How much traffic a fabric carries: non-blocking, throughput of the worst traffic, bisection."""
