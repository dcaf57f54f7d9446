/** PostgreSQL's dialect of a SQL target. */
import type { Writer } from '../../../ports/target.ts'
import { renameInTransaction } from '../../sql-target/rename-tables.ts'
import { schemaChecks, schemaNames } from '../../sql-target/schema-names.ts'
import { targetSessions } from '../../sql-target/sessions.ts'
import { fencedTransaction } from '../../sql-target/state-store.ts'
import { insertClause } from '../../sql-target/system-rows.ts'
import { transactionalDdl } from '../../sql-target/transactional-ddl.ts'
import { openSessionPool } from '../session-pool.ts'
import { facts } from '../target-facts.ts'
import { fingerprint, quote } from '../types.ts'
import { CopyLoader } from './bulk-load.ts'
import { trials } from './check.ts'
import { commentSql } from './comments.ts'
import { historySql, renameHistoryIndexes } from './history.ts'
import { keyComparisonSql } from './key-comparison.ts'
import { mergeSql } from './merge.ts'
import { publicationSql } from './publication.ts'
import { missingRights } from './rights.ts'
import { type PostgresDialect, type PostgresSession, postgresSession } from './session.ts'
import type { PostgresTargetSettings } from './settings.ts'
import { shadowSql } from './shadow-table.ts'
import { createSystemTables, lockFence, lockNames, markSession, takeFence, writeRejects } from './system-tables.ts'
import { qualified, readColumns, renameTable, tableSql } from './tables.ts'
import { verificationSql } from './verification.ts'
import { analyseNewTables, dates, dropView, replaceView } from './views.ts'

/** Settings of each session: no timeout ends a long load, text is UTF-8, and indexes of whole tables are built in memory. */
const sessionSettings = `SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET lock_timeout = '60s';
  SET client_encoding = 'UTF8'; SET DateStyle = 'ISO, YMD'; SET TimeZone = 'UTC'; SET IntervalStyle = 'iso_8601';
  SET synchronous_commit = off; SET maintenance_work_mem = '256MB'; SET work_mem = '64MB'; SET temp_buffers = '64MB';
  SET search_path = pg_catalog, pg_temp`

export function postgresDialect({ address, schema }: PostgresTargetSettings): PostgresDialect {
  const names = schemaNames(schema, facts.identifierMax, (name) => qualified({ schema, name }))
  return {
    ...transactionSql,
    ...transactionalDdl,
    ...tableSql,
    ...mergeSql,
    ...loadSql,
    ...shadowSql,
    ...keyComparisonSql,
    ...commentSql,
    ...verificationSql,
    ...historySql(schema),
    ...publicationSql,
    ...names,
    ...runSql(address, names),
    ...schemaSql(names),
    facts,
    checks: () => schemaChecks(schema, trials),
  }
}

type PostgresNames = ReturnType<typeof schemaNames>

/** Sessions and the start of a run: sessions that are opened later are marked as the writer's, too. */
function runSql(
  address: PostgresTargetSettings['address'],
  { schema, systemTables }: PostgresNames,
): Pick<PostgresDialect, 'openSessions' | 'startRun'> {
  let writer: Writer | null = null
  return {
    openSessions(around) {
      const sessions = openSessionPool({
        address,
        around,
        side: 'target',
        setUp: async (client) => {
          await client.query(sessionSettings)
          if (writer !== null) await markSession(client, writer)
        },
        missingRight: (client) => missingRights(client, schema),
      })
      const take = async (): Promise<PostgresSession> => postgresSession(await sessions.take(), sessions)
      return targetSessions(take, async () => await sessions[Symbol.asyncDispose]())
    },
    async startRun(session, newWriter) {
      await createSystemTables(session, { schema, systemTables })
      await takeFence(session, systemTables, newWriter)
      writer = newWriter
      await markSession(session.client, newWriter)
      return new Map()
    },
  }
}

function schemaSql({ schema, systemTables }: PostgresNames) {
  const fence: Pick<PostgresDialect, 'begin' | 'commit' | 'lockFence'> = {
    ...transactionSql,
    lockFence: (session, connectorId) => lockFence(session, systemTables, connectorId),
  }
  const relationExists: PostgresDialect['relationExists'] = async ({ rows }, name) => {
    const found = await rows('SELECT relname FROM pg_class WHERE relnamespace = ?::regnamespace AND relname = ?', [
      quote(schema),
      name,
    ])
    return found.length > 0
  }
  return {
    lockFence: fence.lockFence,
    // Shadow tables may belong to a successor by now: only the newest writer may drop them.
    claimStream: (session, writer) => fencedTransaction(fence, session, writer, async () => {}),
    writeRejects: (session, rejects) => writeRejects(session, systemTables, rejects),
    nameHolderSql: `SELECT connector FROM ${systemTables.tables} WHERE name = ?`,
    relationExists,
    readColumns: ({ client }, name) => readColumns(client, { schema, name }),
    changeTables: (session, writer, work) =>
      fencedTransaction(fence, session, writer, async () => {
        await lockNames(session, schema)
        return await work()
      }),
    tableExistsSql: `EXISTS (SELECT FROM pg_class WHERE relname = tributary_table.name AND relnamespace = '${quote(schema)}'::regnamespace AND relkind IN ('r', 'p'))`,
    async isNameTaken(session, name) {
      const [claimed] = await session.rows(`SELECT name FROM ${systemTables.tables} WHERE name = ?`, [name])
      return claimed !== undefined || (await relationExists(session, name))
    },
    async renameTables(session, writer, renamed, finish) {
      await session.run(`SET LOCAL lock_timeout = '5s'`)
      await renameInTransaction(systemTables, session, { writer, renamed }, async (name, newName) => {
        await renameTable(session.client, { schema, name }, newName)
        await renameHistoryIndexes(session, { schema, name: newName })
      })
      await finish()
    },
    replaceView: (session, name, select) => replaceView(session.client, { schema, name }, select),
    dropView: (session, name) => dropView(session.client, { schema, name }),
  } satisfies Partial<PostgresDialect>
}

const transactionSql = {
  begin: 'BEGIN',
  commit: 'COMMIT',
  stateColumns: { checkpoint: 'checkpoint', refresh: 'refresh', rows: 'rows', additional: [] },
  integer: (column) => column,
  lockStream: async () => {},
  async upsert({ run }, row) {
    const { sql, parameters } = insertClause(row, 'now()')
    const updated = [...Object.keys(row.values), ...(row.touched === undefined ? [] : [row.touched])]
    const set = updated.map((column) => `${column} = excluded.${column}`)
    await run(
      `INSERT ${sql} ON CONFLICT (${Object.keys(row.key).join(', ')}) DO UPDATE SET ${set.join(', ')}`,
      parameters,
    )
  },
} satisfies Partial<PostgresDialect>

const loadSql = {
  unknownValues: 'reject',
  countsRows: false,
  countRows: 'count(*)',
  listsDeletedKeysAlways: false,
  hashesValues: false,
  // Binary where the columns have exactly the types that the source reads from.
  encodingFor: ({ binaryFingerprint }, [main, ...children]) =>
    children.length === 0 && binaryFingerprint === fingerprint(main.columns.map(({ type }) => type))
      ? 'binary'
      : 'text',
  temporary: (name) => quote(`tributary_${name}`),
  bulkLoader: async ({ client }, options) => new CopyLoader(client, options),
  async clearStages({ run }, stages, when) {
    await run(`${when === 'finished' ? 'DROP' : 'TRUNCATE'} TABLE ${stages.join(', ')}`)
  },
  dates,
  lateralJoin: 'CROSS JOIN LATERAL',
  async select(session, select, tables) {
    await analyseNewTables(session, tables)
    return await session.rows(select)
  },
} satisfies Partial<PostgresDialect>
