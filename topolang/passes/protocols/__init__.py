"""Rules of InfiniBand, RoCE and Ultra Ethernet: addresses, agreement of both ends, deadlocks, buffers, reductions."""
