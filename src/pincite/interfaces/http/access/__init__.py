"""Who may do what over HTTP, and how much: tokens, limits, headers, logs, figures."""
