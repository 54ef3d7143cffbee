"""Subtitles of a recording: WebVTT, SRT, and the transcripts of Whisper."""
