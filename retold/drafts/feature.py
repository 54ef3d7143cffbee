"""Declares the feature: drafts."""

from __future__ import annotations

from retold.journal.features import Feature

FEATURE = Feature(
    "drafts",
    verbs={"draft": "retold.drafts.verb.command"},
    campaign="retold.drafts.campaign:DraftsOfCampaign",
    promised={
        "BlockToLookAt": "retold.drafts.overview:BlockToLookAt",
        "ChangedWords": "retold.drafts.writing:ChangedWords",
        "RevisionMade": "retold.drafts.overview:RevisionMade",
        "Wording": "retold.drafts.changes:Wording",
        "WritersBlock": "retold.drafts.writing:WritersBlock",
        "WritersDraft": "retold.drafts.writing:WritersDraft",
        "WritersRemark": "retold.drafts.writing:WritersRemark",
        "Writing": "retold.drafts.writing:Writing",
    },
    addresses="retold.drafts.addresses.endpoints",
    draft_options="retold.drafts.verb.chosen:TypedDraftOptions",
)
