"""SQL statements that create the tables of Retold on a server, and the settings of each connection."""

from __future__ import annotations

from typing import Final

from retold.journal.store.contract.event_store import FIRST_DRAFT, SIGNPOSTS, TAG

VERSION: Final = 2
"""The version of the tables, in `retold.meta`."""

FORKED: Final = "table.forked"

IS_SIGNPOST: Final = f"kind IN ({', '.join(repr(kind) for kind in SIGNPOSTS)})"

CHANNEL: Final = "retold"
"""Notifications here carry a campaign's number in the database, and nothing of its record."""

STAMPS: Final = "stamp"
"""The sort of the attachments that count, for each other sort, how often it was changed."""

APPEND_ONLY: Final = "the record is append-only"
NO_GAP: Final = "the record has no gap"
UNCHAINED: Final = "the hash of an event is not the one of the record"

TABLES: Final = (
    """
    CREATE TABLE IF NOT EXISTS retold.meta (version integer NOT NULL)
    """,
    # `held` is there so that a role may be granted the lock of the row and no more.
    """
    CREATE TABLE IF NOT EXISTS retold.campaign (
      id integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      name text NOT NULL UNIQUE,
      format integer NOT NULL,
      size bigint NOT NULL DEFAULT 0,
      stamp bigint NOT NULL DEFAULT 0,
      held boolean
    ) WITH (fillfactor = 50)
    """,
    """
    CREATE TABLE IF NOT EXISTS retold.event (
      campaign integer NOT NULL,
      seq bigint NOT NULL,
      line integer NOT NULL CHECK (line >= 1),
      position bigint NOT NULL CHECK (position >= 1),
      kind text COLLATE "C" NOT NULL,
      body text NOT NULL,
      words text,
      hash bytea NOT NULL CHECK (octet_length(hash) = 32),
      PRIMARY KEY (campaign, line, position),
      UNIQUE (campaign, seq)
    )
    """,
    f"""
    CREATE INDEX IF NOT EXISTS signpost ON retold.event (campaign, kind, line, position) WHERE {IS_SIGNPOST}
    """,
    """
    CREATE TABLE IF NOT EXISTS retold.beside (
      campaign integer NOT NULL, sort text NOT NULL, key text NOT NULL, value text NOT NULL,
      PRIMARY KEY (campaign, sort, key)
    )
    """,
    """
    CREATE TABLE IF NOT EXISTS retold.may (
      campaign integer NOT NULL, who name NOT NULL, writes boolean NOT NULL, PRIMARY KEY (who, campaign)
    )
    """,
)

TEXTS: Final = {"event": "words", "beside": "value"}
"""The tables with texts that may be deleted, and their columns, of which PostgreSQL keeps no samples."""

UNSAMPLED: Final = tuple(
    f"ALTER TABLE retold.{table} ALTER COLUMN {column} SET STATISTICS 0" for table, column in TEXTS.items()
)
RESAMPLED: Final = tuple(
    f"ALTER TABLE retold.{table} ALTER COLUMN {column} TYPE text" for table, column in TEXTS.items()
)
"""Makes PostgreSQL drop the samples that it has of these columns."""

COLUMNS: Final = {
    "beside": ("campaign integer", "sort text", "key text", "value text"),
    "campaign": (
        "id integer",
        "name text",
        "format integer",
        "size bigint",
        "stamp bigint",
        "held boolean",
    ),
    "event": (
        "campaign integer",
        "seq bigint",
        "line integer",
        "position bigint",
        "kind text",
        "body text",
        "words text",
        "hash bytea",
    ),
    "may": ("campaign integer", "who name", "writes boolean"),
    "meta": ("version integer",),
}
"""The columns of each table, in order."""

ROW: Final = "line, position, kind, body, words, hash"
"""The columns of an event that a row is made of."""

FUNCTIONS: Final = {
    # Numbers follow the campaign's size and each event is chained to the one before it, from any writer: no
    # client leaves a gap, or an event that every reader would have to call damaged. OFFSET 0 keeps PostgreSQL
    # from asking for the hash before once for each place where it is used.
    "added() trigger": f"""
      DECLARE
        lot record;
      BEGIN
        SELECT min(campaign) AS campaign, max(campaign) AS other, min(seq) AS first, max(seq) AS last,
          count(*) AS many
        INTO lot FROM added;
        IF lot.many = 0 THEN RETURN NULL; END IF;
        UPDATE retold.campaign
        SET size = lot.last, stamp = stamp + 1
        WHERE id = lot.campaign AND id = lot.other AND size = lot.first - 1
          AND lot.many = lot.last - lot.first + 1;
        IF NOT FOUND THEN
          RAISE EXCEPTION '{NO_GAP}' USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        IF EXISTS (
          SELECT FROM added, LATERAL (SELECT coalesce(
            (SELECT before.hash FROM retold.event AS before
              WHERE before.campaign = added.campaign AND before.line = added.line
                AND before.position = added.position - 1),
            CASE WHEN added.kind = '{FORKED}'
                THEN retold.left_at(added.campaign, added.position - 1, added.body)
              WHEN added.position = 1 AND (added.line = 1 OR added.line >= {FIRST_DRAFT}) THEN '' END
          ) OFFSET 0) AS parent (hash)
          WHERE parent.hash IS NULL OR added.hash <> sha256('{TAG.decode()}'
            || int8send(length(parent.hash)) || parent.hash
            || int8send(length(added.line::text)) || convert_to(added.line::text, 'UTF8')
            || int8send(length(added.position::text)) || convert_to(added.position::text, 'UTF8')
            || int8send(octet_length(added.kind)) || convert_to(added.kind, 'UTF8')
            || int8send(octet_length(added.body)) || convert_to(added.body, 'UTF8'))
        ) THEN
          RAISE EXCEPTION '{UNCHAINED}' USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NULL;
      END
    """,  # noqa: S608 -- our own sentences
    # The hash of the event at which a branch leaves, as its first event says it; null if there is none.
    "left_at(integer, bigint, text) bytea": """
      DECLARE
        said bytea;
      BEGIN
        said := decode($3::json -> 'data' ->> 'parent_hash', 'hex');
        RETURN (SELECT hash FROM retold.event WHERE campaign = $1 AND position = $2 AND hash = said LIMIT 1);
      EXCEPTION WHEN data_exception THEN
        RETURN NULL;
      END
    """,
    "reworded() trigger": """
      BEGIN
        UPDATE retold.campaign SET stamp = stamp + 1 WHERE id IN (SELECT campaign FROM changed);
        RETURN NULL;
      END
    """,
    # A row changes in one way only: a redaction sets words to null, all or some.
    "final() trigger": f"""
      BEGIN
        IF (NEW.campaign, NEW.seq, NEW.line, NEW.position, NEW.kind, NEW.body, NEW.hash)
            IS DISTINCT FROM (OLD.campaign, OLD.seq, OLD.line, OLD.position, OLD.kind, OLD.body, OLD.hash)
          OR NEW.words IS NOT NULL AND (OLD.words IS NULL
            OR json_array_length(NEW.words::json) <> json_array_length(OLD.words::json)
            OR EXISTS (SELECT FROM json_array_elements(NEW.words::json) WITH ORDINALITY AS a (word, nth)
              JOIN json_array_elements(OLD.words::json) WITH ORDINALITY AS b (word, nth) USING (nth)
              WHERE json_typeof(a.word) <> 'null' AND a.word::text <> b.word::text))
        THEN
          RAISE EXCEPTION '{APPEND_ONLY}' USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN NEW;
      END
    """,
    # Events go with their campaign, by `retold server remove`, and never without it.
    "stays() trigger": f"""
      BEGIN
        IF TG_OP = 'TRUNCATE' OR EXISTS (SELECT FROM retold.campaign WHERE id = OLD.campaign) THEN
          RAISE EXCEPTION '{APPEND_ONLY}' USING ERRCODE = 'integrity_constraint_violation';
        END IF;
        RETURN OLD;
      END
    """,
    # In PL/pgSQL, since a session plans these once, and functions in SQL each time they are called.
    "readable() integer[]": """
      BEGIN
        RETURN ARRAY(SELECT campaign FROM retold.may WHERE who = session_user);
      END
    """,
    "may_read(integer) boolean": """
      BEGIN
        RETURN EXISTS (SELECT FROM retold.may WHERE who = session_user AND campaign = $1);
      END
    """,
    "may_write(integer) boolean": """
      BEGIN
        RETURN EXISTS (SELECT FROM retold.may WHERE who = session_user AND campaign = $1 AND writes);
      END
    """,
}
"""The body of each function, by its name and what it returns."""


SEARCH_PATH: Final = "pg_catalog, pg_temp"
"""Of the functions: what is not named, PostgreSQL seeks in a session's own temporary schema first."""


def is_definer(name: str) -> bool:
    """True if a function of `FUNCTIONS` has the rights of the tables' owner; else it has its caller's."""
    return not name.startswith("final")


TRIGGERS: Final = {
    "added": "AFTER INSERT ON retold.event REFERENCING NEW TABLE AS added FOR EACH STATEMENT",
    "reworded": "AFTER UPDATE ON retold.event REFERENCING NEW TABLE AS changed FOR EACH STATEMENT",
    "final": "BEFORE UPDATE ON retold.event FOR EACH ROW",
    "stays": "BEFORE DELETE ON retold.event FOR EACH ROW",
    "whole": "BEFORE TRUNCATE ON retold.event FOR EACH STATEMENT",
}
"""The triggers of the table of events."""

CALLED: Final = {"whole": "stays"}
"""The function a trigger calls, where it has another name."""

READABLE: Final = "campaign IN (SELECT unnest(retold.readable()))"
"""Asked once a statement, not once a row, and then looked up in a hash table."""

POLICIES: Final = {
    "campaign": {
        "owner": "FOR ALL TO {owner} USING (true)",
        "keeper": "FOR ALL TO {keeper} USING (true)",
        "reader": "FOR SELECT TO {table} USING (retold.may_read(id))",
        "writer": "FOR UPDATE TO {table} USING (retold.may_write(id))",
    },
    "event": {
        "owner": "FOR ALL TO {owner} USING (true)",
        "keeper": "FOR ALL TO {keeper} USING (true)",
        "reader": f"FOR SELECT TO {{table}} USING ({READABLE})",
        "writer": "FOR INSERT TO {table} WITH CHECK (retold.may_write(campaign))",
        "redactor": "FOR UPDATE TO {table} USING (retold.may_write(campaign))",
    },
    "beside": {
        "owner": "FOR ALL TO {owner} USING (true)",
        "keeper": "FOR ALL TO {keeper} USING (true)",
        "writer": "FOR ALL TO {table} USING (retold.may_write(campaign))",
    },
    "may": {
        "owner": "FOR ALL TO {owner} USING (true)",
        "keeper": "FOR SELECT TO {keeper} USING (true)",
        "reader": f"FOR SELECT TO {{table}} USING ({READABLE})",
    },
}
"""Who sees and changes which rows: the owner and the keeper all, a table's role those named in `may`."""

GRANTS: Final = (
    "REVOKE ALL ON ALL TABLES IN SCHEMA retold FROM PUBLIC, {keeper}, {table}",
    "REVOKE ALL ON ALL FUNCTIONS IN SCHEMA retold FROM PUBLIC",
    "GRANT EXECUTE ON FUNCTION retold.readable() TO {table}, {keeper}",
    "GRANT EXECUTE ON FUNCTION retold.may_read(integer), retold.may_write(integer) TO {table}, {keeper}",
    "GRANT USAGE ON SCHEMA retold TO {keeper}, {table}",
    "GRANT SELECT ON retold.meta, retold.campaign, retold.event, retold.may TO {keeper}, {table}",
    "GRANT INSERT ON retold.event TO {keeper}, {table}",
    "GRANT UPDATE (held) ON retold.campaign TO {keeper}, {table}",
    "GRANT UPDATE (words) ON retold.event TO {keeper}, {table}",
    "GRANT SELECT, INSERT, UPDATE, DELETE ON retold.beside TO {keeper}, {table}",
    "GRANT INSERT (name, format) ON retold.campaign TO {keeper}",
)
"""Events cannot be deleted; only the owner changes who may write."""

SETTINGS: Final = {
    "lock_timeout": "30s",
    "idle_in_transaction_session_timeout": "15s",
    "search_path": "pg_catalog",
}
"""The settings of each connection: a closed laptop holds a lock for 15 seconds, and no longer."""

WEAK_COMMITS: Final = ("off", "local", "remote_write")
"""Values of `synchronous_commit` that acknowledge before the disk has it: raised to `on`."""


def plain(sql: str) -> str:
    """Returns an SQL text on one line with single spaces, for comparison."""
    return " ".join(sql.split())
