"""Taking logs of other tools into a campaign."""
