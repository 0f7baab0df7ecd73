"""NCCL topology files: the inside of a server as NCCL reads it, one file per type of server."""
