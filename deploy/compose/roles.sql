-- Run once by psql, as a superuser, in a new cluster. No superuser and no BYPASSRLS, so that row level security holds for the role;
-- CREATEDB and CREATEROLE for the warehouse, where every organisation has a database and a reader of its own. Not needed where
-- TRIBUTARY_WAREHOUSE_URL names another server.
\set ON_ERROR_STOP on
\set password `cat /run/secrets/database-password`
CREATE ROLE tributary LOGIN NOSUPERUSER NOBYPASSRLS CREATEDB CREATEROLE PASSWORD :'password';
CREATE DATABASE tributary OWNER tributary ENCODING 'UTF8' TEMPLATE template0;
-- The readers of the warehouse live in the same cluster, and have no business but in their own databases.
REVOKE ALL ON DATABASE tributary, postgres, template1 FROM PUBLIC;
