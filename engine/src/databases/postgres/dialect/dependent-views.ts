/**
 * Views that read a table which is about to be replaced or altered. They are dropped and created again in the same
 * transaction, so that readers never miss them, and so that the table can be swapped by rename.
 */
import type pg from 'pg'
import type { TableAddress } from '../../sql-target/table-layout.ts'
import { errorCode } from '../faults.ts'
import { qualified } from './tables.ts'

export interface DetachedView {
  /** Quoted, with its schema. */
  readonly name: string
  readonly definition: string
  /** Quoted; null if it has none. */
  readonly options: string | null
  /** Statements that grant the rights on the view. */
  readonly grants: readonly string[]
  /** Statements that restore its comments. */
  readonly comments: readonly string[]
}

/** SQLSTATE of a view on which something depends, and of a lock that a reader holds for long. */
const stillNeeded = '2BP01'
export const lockNotAvailable = '55P03'

/**
 * Makes transactions that drop and create views wait for each other, until the end of the transaction. Two streams may
 * be swapped at the same time, and a view may read both.
 */
export async function lockViews(client: pg.Client): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock(hashtext('tributary views'))`)
}

/**
 * Drops the views that read the tables, directly or through other views. Returns what `attachViews` needs; null, without
 * a change, if one of them could not be restored exactly: it belongs to another role, is materialised, or has triggers,
 * rules, column privileges, defaults or dependants that are not views.
 * @throws ViewsInTheWay
 */
export async function detachViews(
  client: pg.Client,
  tables: readonly TableAddress[],
): Promise<readonly DetachedView[] | null> {
  await lockViews(client)
  try {
    return await readAndDrop(client, tables)
  } catch (error) {
    throw asViewFault(error, 'The views could not be dropped.')
  }
}

async function readAndDrop(
  client: pg.Client,
  tables: readonly TableAddress[],
): Promise<readonly DetachedView[] | null> {
  const found = await client.query<DetachedView & { readonly isPlain: boolean }>(readViews, [tables.map(qualified)])
  if (found.rows.some(({ isPlain }) => !isPlain)) return null
  if (found.rows.length === 0) return []
  await client.query('SAVEPOINT tributary_views')
  try {
    // Readers lock outer views before inner ones, too.
    for (const { name } of found.rows.toReversed()) await client.query(`DROP VIEW ${name}`)
  } catch (error) {
    if (errorCode(error) !== stillNeeded) throw error
    await client.query('ROLLBACK TO SAVEPOINT tributary_views')
    return null
  }
  return found.rows
}

/**
 * The views could not be dropped or created again, for example because a user changed one meanwhile. The transaction
 * must be rolled back. The tables can be refilled instead, which leaves views alone.
 */
export class ViewsInTheWay extends Error {
  override readonly name = 'ViewsInTheWay'
}

/** @throws ViewsInTheWay */
export async function attachViews(client: pg.Client, views: readonly DetachedView[]): Promise<void> {
  for (const view of views)
    try {
      await attachView(client, view)
    } catch (error) {
      throw asViewFault(error, `The view ${view.name} could not be created again.`)
    }
}

/** A lock that was not available is worth another attempt. */
function asViewFault(error: unknown, message: string): unknown {
  return errorCode(error) === lockNotAvailable ? error : new ViewsInTheWay(message, { cause: error })
}

async function attachView(client: pg.Client, view: DetachedView): Promise<void> {
  const { name, definition, options, grants, comments } = view
  await client.query(`CREATE VIEW ${name}${options === null ? '' : ` WITH (${options})`} AS ${definition}`)
  for (const statement of [...(await listDefaultRevocations(client, name)), ...grants, ...comments])
    await client.query(statement)
}

/** Default privileges apply to a new view, but the former one may have lost them. */
async function listDefaultRevocations(client: pg.Client, name: string): Promise<readonly string[]> {
  const found = await client.query<{ statement: string }>(
    `SELECT DISTINCT format('REVOKE ALL ON %s FROM %s', $1::text, ${grantee}) AS statement
     FROM pg_class c CROSS JOIN LATERAL aclexplode(c.relacl) AS a WHERE c.oid = $1::regclass AND a.grantee <> c.relowner`,
    [name],
  )
  return found.rows.map(({ statement }) => statement)
}

const grantee = `CASE a.grantee WHEN 0 THEN 'PUBLIC' ELSE quote_ident(pg_get_userbyid(a.grantee)) END`
const viewName = `format('%I.%I', n.nspname, c.relname)`

/** The views in the order in which they can be created. */
const readViews = `WITH RECURSIVE reader AS (
    SELECT r.ev_class AS oid, 1 AS depth FROM pg_depend d JOIN pg_rewrite r ON r.oid = d.objid
    WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass AND d.deptype = 'n'
      AND d.refobjid = ANY ($1::text[]::regclass[]) AND r.ev_class <> d.refobjid
    UNION SELECT r.ev_class, reader.depth + 1 FROM reader JOIN pg_depend d ON d.refobjid = reader.oid JOIN pg_rewrite r ON r.oid = d.objid
    WHERE d.classid = 'pg_rewrite'::regclass AND d.refclassid = 'pg_class'::regclass AND d.deptype = 'n' AND r.ev_class <> reader.oid
  ), found AS (SELECT oid, max(depth) AS depth FROM reader GROUP BY oid)
  SELECT ${viewName} AS name, pg_get_viewdef(c.oid) AS definition,
    (SELECT string_agg(format('%I = %L', o.option_name, o.option_value), ', ') FROM pg_options_to_table(c.reloptions) AS o) AS options,
    coalesce((SELECT array_agg(format('GRANT %s ON %s TO %s%s', a.privilege_type, ${viewName}, ${grantee},
        CASE WHEN a.is_grantable THEN ' WITH GRANT OPTION' ELSE '' END))
      FROM aclexplode(c.relacl) AS a WHERE a.grantee <> c.relowner), '{}') AS grants,
    coalesce((SELECT array_agg(CASE s.objsubid WHEN 0 THEN format('COMMENT ON VIEW %s IS %L', ${viewName}, s.description)
        ELSE format('COMMENT ON COLUMN %s.%I IS %L', ${viewName}, (SELECT attname FROM pg_attribute WHERE attrelid = c.oid AND attnum = s.objsubid), s.description) END)
      FROM pg_description s WHERE s.classoid = 'pg_class'::regclass AND s.objoid = c.oid), '{}') AS comments,
    c.relkind = 'v' AND c.relowner = (SELECT oid FROM pg_roles WHERE rolname = current_user)
      AND NOT EXISTS (SELECT FROM pg_trigger WHERE tgrelid = c.oid) AND NOT EXISTS (SELECT FROM pg_attrdef WHERE adrelid = c.oid)
      AND NOT EXISTS (SELECT FROM pg_attribute WHERE attrelid = c.oid AND attacl IS NOT NULL)
      AND (SELECT count(*) FROM pg_rewrite WHERE ev_class = c.oid) = 1
      AND NOT EXISTS (SELECT FROM pg_seclabel WHERE objoid = c.oid) AS "isPlain"
  FROM found JOIN pg_class c ON c.oid = found.oid JOIN pg_namespace n ON n.oid = c.relnamespace ORDER BY found.depth, c.oid`
