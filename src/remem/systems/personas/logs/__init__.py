"""Logs of what agents met, `.learnings/`: what of them waits, and where what was promoted stands.

How such a file falls into entries is `personas/memory_files/log_entries.py`'s.
"""
