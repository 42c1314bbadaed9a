"""Verified memory: facts about a repository, each proved by lines of its code."""
