/** Expressions and statements of history in PostgreSQL. */
import { createHash } from 'node:crypto'
import type { LogicalType } from '../../../ports/model.ts'
import type { HistoryChange, VersionPairs } from '../../sql-target/history/history-sql.ts'
import { columnsEqual, quote, quoteText } from '../types.ts'
import { attachViews, detachViews } from './dependent-views.ts'
import type { TableAddress } from '../../sql-target/table-layout.ts'
import type { PostgresColumn, PostgresDialect, PostgresSession } from './session.ts'
import { qualified, alterSyntax } from './tables.ts'

export function historySql(schema: string) {
  return {
    ...historyExpressions,
    async analyseHistory({ run }, name) {
      await run(`ANALYZE ${qualified({ schema, name })}`)
    },
    tableSizeSql: (name) =>
      `SELECT greatest(reltuples, pg_stat_get_live_tuples(oid), 0)::int8::text, pg_total_relation_size(oid)::text FROM pg_class WHERE oid = to_regclass(${quoteText(qualified({ schema, name }))})`,
  } satisfies Partial<PostgresDialect>
}

const historyExpressions = {
  historyTypes: { moment: 'timestamp with time zone', runId: 'text', hash: 'text', number: 'bigint' },
  momentLiteral: (moment) => `TIMESTAMPTZ ${quoteText(moment)}`,
  textLiteral: quoteText,
  asText: (column) => `${column}::text`,
  asMoment,
  storedType: ({ type }) => type,
  async createHistoryTable({ run }, at, columns) {
    await run(`CREATE TABLE ${qualified(at)} (${columns.map(({ name, type }) => `${quote(name)} ${type}`).join(', ')})`)
  },
  async addHistoryColumns({ run }, at, columns) {
    const actions = columns.map(({ name, type }) => alterSyntax.add(name, type))
    await run(`SET LOCAL lock_timeout = '5s'`)
    await run(`ALTER TABLE ${qualified(at)} ${actions.join(', ')}`)
  },
  /** Views over the table would prevent it. */
  async widenHistoryColumns({ client, run }, at, columns) {
    const actions = columns.map(({ type, from }) => alterSyntax.widen(from as PostgresColumn, type))
    await run(`SET LOCAL lock_timeout = '5s'`)
    const views = await detachViews(client, [at])
    await run(`ALTER TABLE ${qualified(at)} ${actions.join(', ')}`)
    await attachViews(client, views ?? [])
  },
  async ensureHistoryIndex({ run }, at, { name, columns, validTo }) {
    const keys = columns.map(quote).join(', ')
    await run(
      `CREATE INDEX IF NOT EXISTS ${quote(indexName(name, at.name))} ON ${qualified(at)} (${keys}) WHERE ${quote(validTo)} IS NULL`,
    )
  },
  keysEqual: (_columns, left, right) => columnsEqual([left.alias, left.names], [right.alias, right.names]),
  valuesEqual: (_columns, left, right) => `(${left.join(', ')}) IS NOT DISTINCT FROM (${right.join(', ')})`,
  // The text of a row is exact with the settings of the session.
  rowHash: (_columns, values) => `encode(sha256(convert_to(ROW(${values.join(', ')})::text, 'UTF8')), 'hex')`,
  /**
   * The keys of a batch are few, so each is looked up by index: a scan of the tables would cost more with every batch. All rows are joined by
   * hash: without statistics of a history that is still empty, the planner would scan it once for each row.
   */
  async planVersions({ run }, extent) {
    await run(extent === 'few' ? 'SET LOCAL random_page_cost = 1' : 'SET LOCAL enable_nestloop = off')
  },
  async listKeys({ run }, names, { main, lists }) {
    const selects = lists.map(
      ({ from, columns }) =>
        `SELECT DISTINCT ${columns.map((name, at) => `${quote(name)} AS ${quote(main.key[at] ?? name)}`).join(', ')} FROM ${from}`,
    )
    for (const name of names) {
      await run(`DROP TABLE IF EXISTS ${name}`)
      await run(`CREATE TEMP TABLE ${name} ON COMMIT DROP AS ${selects.join(' UNION ')}`)
      await run(`ANALYZE ${name}`)
    }
  },
  /** Inlined by the planner. The check of the moment refers to no row, so it is evaluated before any is read. */
  async defineAsOf({ run, rows }, { schema, name, table, columns, select, since }) {
    const at = qualified({ schema, name })
    const refusal = qualified({ schema, name: 'tributary_no_history' })
    const returned = columns.map((column) => `${quote(column.name)} ${column.type}`).join(', ')
    // Streams are prepared concurrently, and both would create the function.
    await rows(`SELECT pg_advisory_xact_lock(hashtext('tributary history'), hashtext(?))`, [schema])
    const [existing] = await rows(`SELECT to_regprocedure(?)`, [`${refusal}(text,text)`])
    if (existing?.[0] == null)
      await run(`CREATE FUNCTION ${refusal}(text, text) RETURNS boolean LANGUAGE plpgsql STABLE AS $$
        BEGIN RAISE EXCEPTION 'The history of % begins at %. Nothing is known of before.', $1, $2; END $$`)
    await run(`DROP FUNCTION IF EXISTS ${at}(timestamptz)`)
    await run(
      `CREATE FUNCTION ${at}(timestamptz) RETURNS TABLE (${returned}) LANGUAGE sql STABLE AS ${quoteText(
        `${select('$1')} AND CASE WHEN $1 >= ${quoteText(since)}::timestamptz THEN true ELSE ${refusal}(${quoteText(table)}, ${quoteText(since)}) END`,
      )}`,
    )
  },
  async dropAsOf({ run }, at) {
    await run(`DROP FUNCTION IF EXISTS ${qualified(at)}(timestamptz)`)
  },
  supersedeVersions,
  deleteVersions: ({ history, join, where }: HistoryChange) =>
    join === null
      ? `DELETE FROM ${history} h WHERE ${where}`
      : `DELETE FROM ${history} h USING ${join.table} k WHERE ${join.on} AND ${where}`,
  closeVersions: ({ history, join, where }, validTo, moment) =>
    join === null
      ? `UPDATE ${history} h SET ${validTo} = ${moment} WHERE ${where}`
      : `UPDATE ${history} h SET ${validTo} = ${moment} FROM ${join.table} k WHERE ${join.on} AND ${where}`,
} satisfies Partial<PostgresDialect>

/** Most of the time goes into finding scattered rows and versions: once each, the versions are then found by their place. */
function supersedeVersions({ history, rows, isCurrent, isSame, isOwn, values, validTo, moment }: VersionPairs): string {
  const selected = [...values.values()].map((value, at) => `${value} AS value_${at}`)
  const added = [...values.keys()].map((_, at) => `value_${at}`)
  return `WITH pair AS MATERIALIZED (
      SELECT ${selected.join(', ')}, h.ctid AS place, ${isOwn} AS own FROM ${rows} LEFT JOIN ${history} h ON ${isCurrent}
      WHERE h.ctid IS NULL OR NOT ${isSame}),
    ended AS (UPDATE ${history} h SET ${validTo} = ${moment} FROM pair WHERE h.ctid = pair.place AND NOT pair.own),
    removed AS (DELETE FROM ${history} h USING pair WHERE h.ctid = pair.place AND pair.own)
    INSERT INTO ${history} (${[...values.keys()].join(', ')}) SELECT ${added.join(', ')} FROM pair`
}

/** Indexes share their names with all tables of the schema, so they get another one with their table. */
export async function renameHistoryIndexes({ rows, run }: PostgresSession, at: TableAddress): Promise<void> {
  const found = await rows(
    `SELECT c.relname FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE i.indrelid = to_regclass(?) AND starts_with(c.relname, 'tributary_current_')`,
    [qualified(at)],
  )
  for (const [name] of found) {
    const ofColumns = String(name).split('_', 3).join('_')
    const index = qualified({ schema: at.schema, name: String(name) })
    await run(`ALTER INDEX ${index} RENAME TO ${quote(indexName(ofColumns, at.name))}`)
  }
}

function indexName(name: string, table: string): string {
  return `${name}_${createHash('sha256').update(table).digest('hex').slice(0, 8)}`
}

function asMoment(column: string, { kind }: LogicalType): string | null {
  if (kind === 'instant') return column
  return kind === 'localTimestamp' || kind === 'date' ? `${column}::timestamp AT TIME ZONE 'UTC'` : null
}
