/**
 * Finds by the catalogue what a login may write: through itself, PUBLIC, and every role that it is a member of, also those that it has to
 * SET first. https://www.postgresql.org/docs/current/ddl-priv.html
 */

/** Predefined roles that only read. https://www.postgresql.org/docs/current/predefined-roles.html */
const readingRoles = [
  'pg_read_all_data',
  'pg_read_all_settings',
  'pg_read_all_stats',
  'pg_stat_scan_tables',
  'pg_monitor',
]

export const writeRightsSql = `
  SELECT finding FROM (WITH role AS MATERIALIZED (
    SELECT r.* FROM pg_roles r WHERE pg_has_role(session_user, r.oid, 'MEMBER')
  ), own AS MATERIALIZED (
    SELECT c.oid, c.relkind, c.relowner, format('%I.%I', n.nspname, c.relname) AS name FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
    WHERE n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%' AND c.relkind IN ('r', 'p', 'v', 'm', 'f', 'S')
  ), place AS MATERIALIZED (
    SELECT n.* FROM pg_namespace n WHERE n.nspname <> 'information_schema' AND n.nspname NOT LIKE 'pg\\_%'
  )
  SELECT format('is %s', right_name) AS finding FROM role CROSS JOIN LATERAL (VALUES
    (rolsuper, 'a superuser'), (rolcreaterole, 'allowed to create roles'), (rolcreatedb, 'allowed to create databases'),
    (rolreplication, 'allowed to replicate'), (rolbypassrls, 'not limited by row level security')) AS attribute(has, right_name) WHERE has
  UNION SELECT format('is a member of %I', rolname) FROM role WHERE rolname LIKE 'pg\\_%' AND rolname <> ALL ('{${readingRoles.join()}}')
  UNION SELECT format('owns %s', own.name) FROM own JOIN role ON role.oid = own.relowner
  UNION SELECT format('owns the schema %I', nspname) FROM place JOIN role ON role.oid = place.nspowner
  UNION SELECT 'owns the database' FROM pg_database JOIN role ON role.oid = datdba WHERE datname = current_database()
  UNION SELECT 'may create schemas in the database' FROM role WHERE has_database_privilege(role.oid, current_database(), 'CREATE')
  UNION SELECT format('may create objects in the schema %I', nspname) FROM place, role WHERE has_schema_privilege(role.oid, place.oid, 'CREATE')
  UNION SELECT format('may write %s', own.name) FROM own, role WHERE own.relkind <> 'S'
    AND (has_table_privilege(role.oid, own.oid, 'INSERT, UPDATE, DELETE, TRUNCATE, TRIGGER') OR has_any_column_privilege(role.oid, own.oid, 'INSERT, UPDATE'))
  UNION SELECT format('may change the sequence %s', own.name) FROM own, role WHERE own.relkind = 'S' AND has_sequence_privilege(role.oid, own.oid, 'USAGE, UPDATE')
  UNION SELECT format('may run %s, which acts with the rights of its owner', p.oid::regprocedure) FROM pg_proc p JOIN place ON place.oid = p.pronamespace, role
    WHERE p.prosecdef AND has_function_privilege(role.oid, p.oid, 'EXECUTE') AND has_schema_privilege(role.oid, place.oid, 'USAGE')
  UNION SELECT format('may run %s, which reaches other servers', p.oid::regprocedure) FROM pg_proc p JOIN place ON place.oid = p.pronamespace, role
    WHERE p.proname LIKE 'dblink%' AND has_function_privilege(role.oid, p.oid, 'EXECUTE') AND has_schema_privilege(role.oid, place.oid, 'USAGE')
  ) AS found ORDER BY finding <> 'is a superuser', finding`
