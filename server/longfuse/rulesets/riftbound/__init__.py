"""The riftbound ruleset: rules of 2026-07-16, on the kernel of `longfuse.game`."""
