"""Ratios measured in one run on one machine: ours beside a named baseline."""
