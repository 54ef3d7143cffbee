-- What a superuser says once: the accounts of the example, and what `retold server prepare club: --sql` prints.
CREATE ROLE organiser LOGIN PASSWORD 'an-example';
CREATE ROLE node LOGIN PASSWORD 'an-example';
BEGIN;
CREATE ROLE "retold_owner_games" NOLOGIN NOINHERIT;
CREATE ROLE "retold_steward_games" NOLOGIN NOINHERIT;
CREATE ROLE "retold_keeper_games" NOLOGIN NOINHERIT;
CREATE ROLE "retold_table_games" NOLOGIN NOINHERIT;
GRANT "retold_owner_games" TO "retold_steward_games";
GRANT "retold_steward_games" TO "organiser";
GRANT "retold_keeper_games" TO "organiser";
GRANT "retold_table_games" TO "organiser" WITH ADMIN OPTION;
GRANT CREATE ON DATABASE "games" TO "retold_owner_games";
COMMIT;
GRANT "retold_keeper_games" TO node;
