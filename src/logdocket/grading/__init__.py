"""The take-home exercise's grader: it asks, counts and reads, and shows what it saw.

A black box to Logdocket as to every other answer: of ours it knows ``testing`` and ``errors``.
"""
