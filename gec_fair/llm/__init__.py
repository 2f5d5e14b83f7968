"""The one client for models behind a server that speaks OpenAI's chat protocol."""
