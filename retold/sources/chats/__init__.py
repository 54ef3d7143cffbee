"""Chats in JSON, one object a message: Telegram and Slack."""
