"""The report of a grading: what it holds, how points are counted, and the forms it is shown in."""
