/** Finds what a move would lose: objects that Tributary never creates, for example because an operator has added them. */
import type { Client } from 'pg'
import type { WriterName } from './writer-name.ts'

const shownMax = 10

/** At most ten, for people. */
export async function listUnsupported(client: Client, { writerName }: WriterName): Promise<readonly string[]> {
  const { rows } = await client.query<{ name: string }>(
    `WITH own AS (SELECT oid, nspname FROM pg_namespace WHERE nspname <> 'information_schema' AND nspname <> 'tributary_access' AND nspname !~ '^pg_')
     SELECT name FROM (
       SELECT CASE c.relkind WHEN 'p' THEN 'the partitioned table ' WHEN 'f' THEN 'the foreign table ' WHEN 'S' THEN 'the sequence '
           WHEN 'c' THEN 'the type ' ELSE 'the table ' END || c.oid::regclass AS name
         FROM pg_class c JOIN own ON own.oid = c.relnamespace
         WHERE c.relkind IN ('p', 'f', 'c') OR (c.relkind IN ('r', 'v', 'm') AND (c.relispartition OR pg_get_userbyid(c.relowner) <> $1))
           OR (c.relkind = 'r' AND EXISTS (SELECT FROM pg_inherits h WHERE h.inhrelid = c.oid OR h.inhparent = c.oid))
           OR (c.relkind = 'S' AND NOT EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_class'::regclass AND d.objid = c.oid AND d.deptype = 'i'))
       UNION ALL SELECT format('the trigger %I of %s', t.tgname, t.tgrelid::regclass) FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
         JOIN own ON own.oid = c.relnamespace WHERE NOT t.tgisinternal
       UNION ALL SELECT format('the constraint %I of %s', k.conname, k.conrelid::regclass) FROM pg_constraint k JOIN own ON own.oid = k.connamespace
         WHERE k.contype = 'f'
       UNION ALL SELECT format('the type %s', t.oid::regtype) FROM pg_type t JOIN own ON own.oid = t.typnamespace WHERE t.typtype IN ('e', 'd', 'r')
       UNION ALL SELECT format('the function %s', p.oid::regprocedure) FROM pg_proc p JOIN own ON own.oid = p.pronamespace
         WHERE p.prokind NOT IN ('f', 'p') OR pg_get_userbyid(p.proowner) <> $1
       UNION ALL SELECT format('the rule %I of %s', r.rulename, r.ev_class::regclass) FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class
         JOIN own ON own.oid = c.relnamespace WHERE r.rulename <> '_RETURN'
       UNION ALL SELECT format('the statistics %I', s.stxname) FROM pg_statistic_ext s JOIN own ON own.oid = s.stxnamespace
       UNION ALL SELECT format('the extension %I', extname) FROM pg_extension WHERE extname <> 'plpgsql'
       UNION ALL SELECT 'large objects' WHERE EXISTS (SELECT FROM pg_largeobject_metadata)
       UNION ALL SELECT format('the schema %I', own.nspname) FROM own JOIN pg_namespace n ON n.oid = own.oid
         WHERE pg_get_userbyid(n.nspowner) NOT IN ($1, 'pg_database_owner')
     ) AS found ORDER BY name LIMIT ${shownMax}`,
    [writerName],
  )
  return rows.map(({ name }) => name)
}
