/** Everything that the catalogues of a warehouse's database and of its server say, so that two copies can be compared. */
import type { ClientConfig } from 'pg'
import { withClient } from '../../../server/src/kernel/store/with-client.ts'

/** Names instead of the numbers of PostgreSQL, which differ between servers. Rights are sorted; the admin is called `admin`. */
const queries = {
  schemas: `SELECT nspname, owner(nspowner) AS owner, rights(nspacl) AS rights, obj_description(oid, 'pg_namespace') AS comment FROM own`,
  relations: `SELECT c.oid::regclass::text AS name, relkind, relpersistence, owner(relowner) AS owner, rights(relacl) AS rights, relrowsecurity,
    relforcerowsecurity, relreplident, (SELECT array_agg(o ORDER BY o) FROM unnest(reloptions) AS o) AS options, obj_description(c.oid, 'pg_class') AS comment,
    relhasindex, relispartition, relnatts - (SELECT count(*) FROM pg_attribute WHERE attrelid = c.oid AND attisdropped) AS columns
    FROM pg_class c WHERE relnamespace IN (SELECT oid FROM own) AND relkind <> 't'`,
  columns: `SELECT attrelid::regclass::text AS relation, row_number() OVER (PARTITION BY attrelid ORDER BY attnum) AS at, attname, format_type(atttypid, atttypmod) AS type,
    attnotnull, attidentity, attgenerated, attcollation::regcollation::text AS collation, attstorage, attcompression, attstattarget, rights(attacl) AS rights,
    pg_get_expr(adbin, adrelid) AS expression, col_description(attrelid, attnum) AS comment
    FROM pg_attribute JOIN pg_class c ON c.oid = attrelid LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
    WHERE relnamespace IN (SELECT oid FROM own) AND relkind <> 't' AND attnum > 0 AND NOT attisdropped`,
  constraints: `SELECT conrelid::regclass::text AS relation, conname, contype, pg_get_constraintdef(oid) AS definition, convalidated, condeferrable
    FROM pg_constraint WHERE connamespace IN (SELECT oid FROM own)`,
  indexes: `SELECT pg_get_indexdef(indexrelid) AS definition, indisprimary, indisunique, indisvalid FROM pg_index
    JOIN pg_class c ON c.oid = indexrelid WHERE relnamespace IN (SELECT oid FROM own)`,
  views: `SELECT c.oid::regclass::text AS name, pg_get_viewdef(c.oid) AS definition FROM pg_class c
    WHERE relkind IN ('v', 'm') AND relnamespace IN (SELECT oid FROM own)`,
  functions: `SELECT p.oid::regprocedure::text AS name, pg_get_functiondef(p.oid) AS definition, owner(proowner) AS owner, rights(proacl) AS rights,
    obj_description(p.oid, 'pg_proc') AS comment FROM pg_proc p WHERE pronamespace IN (SELECT oid FROM own)`,
  policies: `SELECT polrelid::regclass::text AS relation, polname, polcmd, polpermissive, pg_get_expr(polqual, polrelid) AS using,
    ARRAY(SELECT r::regrole::text FROM unnest(polroles) AS r WHERE r <> 0) AS roles FROM pg_policy`,
  sequences: `SELECT schemaname, sequencename, last_value, start_value, increment_by FROM pg_sequences`,
  defaults: `SELECT owner(defaclrole) AS owner, defaclobjtype, rights(defaclacl) AS rights FROM pg_default_acl`,
  triggers: `SELECT tgname FROM pg_trigger WHERE NOT tgisinternal`,
  types: `SELECT oid::regtype::text AS name FROM pg_type WHERE typnamespace IN (SELECT oid FROM own) AND typtype <> 'c' AND typelem = 0`,
  extensions: `SELECT extname FROM pg_extension`,
  database: `SELECT datname, owner(datdba) AS owner, rights(datacl) AS rights, pg_encoding_to_char(encoding) AS encoding, datlocprovider, datlocale, datcollate, datctype
    FROM pg_database WHERE datname = current_database()`,
  rights: `SELECT role, logins, reads_all, slice_ids FROM tributary_access.reader`,
  passwords: `SELECT login, digest FROM tributary_access.password`,
} as const

/** Of the server, without the limit that only a superuser can set: logins, with the password that PostgreSQL stores unless it is that of the writer, whose salt differs. */
const rolesSql = `SELECT r.rolname, r.rolcanlogin, r.rolconnlimit, (SELECT array_remove(setconfig, 'temp_file_limit=4GB') FROM pg_db_role_setting WHERE setrole = r.oid AND setdatabase = 0) AS config, r.rolinherit, r.rolcreatedb, r.rolcreaterole, r.rolsuper,
    CASE WHEN r.rolname ~ '_writer$' THEN r.rolpassword IS NOT NULL ELSE null END AS writes,
    CASE WHEN r.rolname !~ '_writer$' THEN r.rolpassword END AS password,
    ARRAY(SELECT g.rolname FROM pg_auth_members m JOIN pg_authid g ON g.oid = m.roleid WHERE m.member = r.oid AND starts_with(g.rolname, $1) ORDER BY 1) AS memberships
  FROM pg_authid r WHERE starts_with(r.rolname, $1) ORDER BY r.rolname`

const helpers = `SET search_path = '';
  CREATE FUNCTION pg_temp.owner(role oid) RETURNS text LANGUAGE sql AS
    $$ SELECT CASE WHEN rolname ~ '^w_' OR rolname = 'pg_database_owner' THEN rolname ELSE 'admin' END FROM pg_catalog.pg_roles WHERE oid = role $$;
  CREATE FUNCTION pg_temp.rights(acl aclitem[]) RETURNS text[] LANGUAGE sql AS
    $$ SELECT pg_catalog.array_agg(DISTINCT pg_catalog.concat(CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE pg_temp.owner(a.grantee) END, ' ', a.privilege_type)
         ORDER BY pg_catalog.concat(CASE WHEN a.grantee = 0 THEN 'PUBLIC' ELSE pg_temp.owner(a.grantee) END, ' ', a.privilege_type))
       FROM pg_catalog.aclexplode(acl) AS a $$;
  CREATE TEMP VIEW own AS SELECT * FROM pg_catalog.pg_namespace WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'`

export type Catalogue = Readonly<Record<string, readonly string[]>>

/** @param superuser of the server */
export async function readWholeCatalogue(superuser: ClientConfig, database: string): Promise<Catalogue> {
  return await withClient({ ...superuser, database }, async (client) => {
    await client.query(helpers)
    const found: Record<string, readonly string[]> = {}
    for (const [name, text] of Object.entries(queries)) {
      const { rows } = await client.query(
        text.replaceAll(/(?<![\w.])(owner|rights)\(/gu, 'pg_temp.$1(').replaceAll(/\bFROM own\b/gu, 'FROM pg_temp.own'),
      )
      found[name] = rows.map((row) => JSON.stringify(row)).toSorted()
    }
    const { rows } = await client.query(rolesSql, [`${database}_`])
    return { ...found, roles: rows.map((row) => JSON.stringify(row)) }
  })
}
