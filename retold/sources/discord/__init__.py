"""Discord channels as DiscordChatExporter writes them: JSON, HTML, CSV and text."""
