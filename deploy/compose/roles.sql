-- Run once with psql, as a superuser, in a new cluster. The role is neither a superuser nor has BYPASSRLS, so row level security
-- applies to it. CREATEDB and CREATEROLE are for the warehouse, where every organisation has its own database and reader role. They
-- are not needed if TRIBUTARY_WAREHOUSE_URL names another server.
\set ON_ERROR_STOP on
\set password `cat /run/secrets/database-password`
CREATE ROLE tributary LOGIN NOSUPERUSER NOBYPASSRLS CREATEDB CREATEROLE PASSWORD :'password';
CREATE DATABASE tributary OWNER tributary ENCODING 'UTF8' TEMPLATE template0;
-- The reader roles of the warehouse are in the same cluster and must connect only to their own databases.
REVOKE ALL ON DATABASE tributary, postgres, template1 FROM PUBLIC;
