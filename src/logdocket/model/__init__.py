"""The model: asking it, believing nothing it says, and the bounds on both."""
