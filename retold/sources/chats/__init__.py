"""Chats in JSON, one object a message: Telegram, Matrix and Slack."""
