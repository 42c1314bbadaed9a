"""Hermes (NousResearch/hermes-agent): what it holds back until a person approves it."""
