"""A figure is only printed with what it was measured on: every question has its line in a log, right or wrong.

cases      a benchmark's file as histories with questions; no label reaches the memory
outcomes   a history into a scratch memory, its questions asked, one scored outcome each; the baselines beside it
judging    the benchmarks' own judge prompts, for a judge on this machine
tables     the honest table: ranks, intervals, McNemar
"""
