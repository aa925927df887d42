"""The rule systems: each a package of its own that plugs into the kernel; none knows another."""
