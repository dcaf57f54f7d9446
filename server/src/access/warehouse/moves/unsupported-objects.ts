/** Finds what a move would lose: objects that Tributary never creates, for example because an operator has added them, and rights given by hand. */
import type { Client } from 'pg'
import { listForeignRights, type WarehouseNames } from './foreign-rights.ts'

const shownMax = 10

/** At most ten, for people. */
export async function listUnsupported(client: Client, names: WarehouseNames): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(objectsSql, [names.writerName])
  return [...rows.map(({ name }) => name), ...(await listForeignRights(client, names))].toSorted().slice(0, shownMax)
}

/** Object identifiers below 16384 are PostgreSQL's. */
const objectsSql = `WITH own AS (SELECT oid, nspname FROM pg_namespace WHERE nspname <> 'information_schema' AND nspname <> 'tributary_access' AND nspname !~ '^pg_'),
    relation AS (SELECT c.*, c.oid::regclass::text AS name FROM pg_class c JOIN own ON own.oid = c.relnamespace)
  SELECT CASE relkind WHEN 'p' THEN 'the partitioned table ' WHEN 'f' THEN 'the foreign table ' WHEN 'S' THEN 'the sequence '
      WHEN 'c' THEN 'the type ' WHEN 'v' THEN 'the view ' WHEN 'm' THEN 'the materialised view ' ELSE 'the table ' END || name AS name
    FROM relation c
    WHERE relkind IN ('p', 'f', 'c') OR (relkind IN ('r', 'v', 'm') AND (relispartition OR pg_get_userbyid(relowner) <> $1))
      OR (relkind = 'r' AND EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = c.oid OR h.inhparent = c.oid))
      OR (relkind = 'S' AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'i'))
  UNION ALL SELECT 'the replica identity of ' || name FROM relation WHERE relkind = 'r' AND relreplident NOT IN ('d', 'f')
  UNION ALL SELECT 'the tablespace of ' || name FROM relation WHERE reltablespace <> 0
  UNION ALL SELECT format('the trigger %I of %s', t.tgname, c.name) FROM pg_trigger t JOIN relation c ON c.oid = t.tgrelid WHERE NOT t.tgisinternal
  UNION ALL SELECT format('the rule %I of %s', r.rulename, c.name) FROM pg_rewrite r JOIN relation c ON c.oid = r.ev_class WHERE r.rulename <> '_RETURN'
  UNION ALL SELECT format('the type %s', t.oid::regtype) FROM pg_type t WHERE t.typnamespace IN (SELECT oid FROM own)
    AND (t.typtype IN ('e', 'd', 'r') OR t.typtype IN ('b', 'p') AND t.typelem = 0)
  UNION ALL SELECT format('the function %s', p.oid::regprocedure) FROM pg_proc p WHERE p.pronamespace IN (SELECT oid FROM own)
    AND (p.prokind NOT IN ('f', 'p') OR pg_get_userbyid(p.proowner) <> $1)
  UNION ALL SELECT format('the schema %I', own.nspname) FROM own JOIN pg_namespace n ON n.oid = own.oid
    WHERE pg_get_userbyid(n.nspowner) NOT IN ($1, 'pg_database_owner')
  UNION ALL SELECT format('the extension %I', extname) FROM pg_extension WHERE extname <> 'plpgsql'
  UNION ALL SELECT 'large objects' WHERE EXISTS (SELECT FROM pg_largeobject_metadata)
  UNION ALL SELECT 'the comment of ' || pg_describe_object(d.classoid, d.objoid, 0) FROM pg_description d
    WHERE d.objoid >= 16384 AND (d.classoid IN ('pg_constraint'::regclass, 'pg_policy'::regclass)
      OR d.classoid = 'pg_class'::regclass AND EXISTS (SELECT FROM relation c WHERE c.oid = d.objoid AND c.relkind IN ('i', 'S')))
  UNION ALL SELECT 'the ' || pg_describe_object('pg_statistic_ext'::regclass, oid, 0) FROM pg_statistic_ext WHERE stxnamespace IN (SELECT oid FROM own)
  UNION ALL SELECT 'the ' || pg_describe_object('pg_collation'::regclass, oid, 0) FROM pg_collation WHERE collnamespace IN (SELECT oid FROM own)
  UNION ALL SELECT 'the ' || pg_describe_object('pg_operator'::regclass, oid, 0) FROM pg_operator WHERE oprnamespace IN (SELECT oid FROM own)
  UNION ALL SELECT 'the ' || pg_describe_object('pg_ts_config'::regclass, oid, 0) FROM pg_ts_config WHERE cfgnamespace IN (SELECT oid FROM own)
  UNION ALL SELECT 'the ' || pg_describe_object('pg_ts_dict'::regclass, oid, 0) FROM pg_ts_dict WHERE dictnamespace IN (SELECT oid FROM own)
  UNION ALL SELECT 'the ' || pg_describe_object('pg_cast'::regclass, oid, 0) FROM pg_cast WHERE oid >= 16384
  UNION ALL SELECT 'the ' || pg_describe_object('pg_event_trigger'::regclass, oid, 0) FROM pg_event_trigger WHERE oid >= 16384
  UNION ALL SELECT 'the ' || pg_describe_object('pg_publication'::regclass, oid, 0) FROM pg_publication WHERE oid >= 16384`
