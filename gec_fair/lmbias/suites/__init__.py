"""Bias suites: CrowS-Pairs, StereoSet, SEAT, HolisticBias, minimal pairs."""
