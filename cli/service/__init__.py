"""The table on its phones: a small web service, built on `import retold` alone."""
