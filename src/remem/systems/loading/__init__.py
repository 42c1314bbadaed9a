"""What tools load by themselves at their start: plain files, and those of named agents."""
