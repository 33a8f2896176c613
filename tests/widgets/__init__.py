"""Widgets and the pure functions behind them, one by one."""
