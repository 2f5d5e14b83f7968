"""Tables, HTML pages, charts, and what the papers print."""
