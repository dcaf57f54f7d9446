/** SQL Server's dialect of a SQL target. */
import { Fault } from '../../../ports/faults.ts'
import { renameInTransaction } from '../../sql-target/rename-tables.ts'
import { schemaChecks, schemaNames } from '../../sql-target/schema-names.ts'
import { targetSessions } from '../../sql-target/sessions.ts'
import { fencedTransaction } from '../../sql-target/state-store.ts'
import { insertClause, writeRejectsSingly } from '../../sql-target/system-rows.ts'
import { transactionalDdl } from '../../sql-target/transactional-ddl.ts'
import { literal, procedureName, quote } from '../quoting.ts'
import { facts } from '../target-facts.ts'
import { SqlServerLoader } from './bulk-load.ts'
import { trials } from './check.ts'
import { commentSql } from './comments.ts'
import { historySql } from './history.ts'
import { keyComparisonSql } from './key-comparison.ts'
import { mergeSql } from './merge.ts'
import { publicationSql } from './publication.ts'
import { selectText } from './select-text.ts'
import { objectExists, openSession, type SqlServerDialect } from './session.ts'
import type { SqlServerTargetSettings } from './settings.ts'
import { shadowSql } from './shadow-table.ts'
import { createSystemTables, takeFence } from './system-tables.ts'
import { qualified, readColumns, tableSql } from './tables.ts'
import { verificationSql } from './verification.ts'

export function sqlServerDialect(settings: SqlServerTargetSettings): SqlServerDialect {
  const { schema } = settings
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
    ...schemaSql(names),
    facts,
    openSessions: (around) => targetSessions(() => openSession(settings, around)),
    checks: () => schemaChecks(schema, trials),
    unknownValues: settings.unknownValues ?? 'reject',
  }
}

function schemaSql({ schema, systemTables, qualified: inSchema }: ReturnType<typeof schemaNames>) {
  const lockFence: SqlServerDialect['lockFence'] = async ({ rows }, connectorId) => {
    const sql = `SELECT CONVERT(varchar(20), fence), run_id FROM ${systemTables.writer} WITH (HOLDLOCK) WHERE connector = ?`
    return (await rows(sql, [connectorId]))[0]
  }
  return {
    lockFence,
    async startRun(session, writer) {
      await createSystemTables(session, schema, systemTables)
      await takeFence(session, systemTables, writer)
      return new Map()
    },
    writeRejects: writeRejectsSingly('SYSUTCDATETIME()', systemTables.rejects),
    nameHolderSql: `SELECT connector FROM ${systemTables.tables} WITH (UPDLOCK, HOLDLOCK) WHERE LOWER(name) = LOWER(?)`,
    relationExists: (session, name) => objectExists(session, inSchema(name)),
    readColumns: (session, name) => readColumns(session.connection, { schema, name }),
    changeTables: (session, writer, work) => fencedTransaction({ ...transactionSql, lockFence }, session, writer, work),
    tableExistsSql: `OBJECT_ID(${literal(`${quote(schema)}.`)} + QUOTENAME(name)) IS NOT NULL`,
    async isNameTaken({ rows }, name) {
      const [row] = await rows(
        `SELECT CASE WHEN OBJECT_ID(${literal(inSchema(name))}) IS NOT NULL
          OR EXISTS (SELECT 1 FROM ${systemTables.tables} WITH (UPDLOCK, HOLDLOCK) WHERE LOWER(name) = LOWER(${literal(name)})) THEN 1 ELSE 0 END`,
      )
      return row?.[0] === '1'
    },
    async renameTables(session, writer, renamed, finish) {
      await renameInTransaction(systemTables, session, { writer, renamed }, async (name, newName) => {
        await session.run(`EXEC sp_rename ${procedureName(schema, name)}, ${literal(newName)}, 'OBJECT'`)
      })
      await finish()
    },
    async replaceView(session, name, select) {
      // In two steps: CREATE OR ALTER exists since SQL Server 2016 SP1 only.
      const verb = (await objectExists(session, inSchema(name))) ? 'ALTER' : 'CREATE'
      await session.run(`${verb} VIEW ${inSchema(name)} AS ${select}`)
    },
    async dropView(session, name) {
      if (await objectExists(session, inSchema(name))) await session.run(`DROP VIEW ${inSchema(name)}`)
    },
  } satisfies Partial<SqlServerDialect>
}

const transactionSql = {
  stateColumns: { checkpoint: 'checkpoint_json', refresh: 'refresh_json', rows: 'row_count', additional: [] },
  begin: 'BEGIN TRANSACTION',
  commit: 'COMMIT TRANSACTION',
  integer: (column) => `CONVERT(varchar(20), ${column})`,
  /** Deletes and inserts a row; updates it in place where it keeps values. */
  async upsert({ run }, row) {
    const { table, key, values, initial } = row
    const equals = (record: object): readonly string[] => Object.keys(record).map((column) => `${column} = ?`)
    const isRow = equals(key).join(' AND ')
    const { sql, parameters } = insertClause(row, 'SYSUTCDATETIME()')
    if (initial === undefined) {
      await run(`DELETE FROM ${table} WHERE ${isRow}`, Object.values(key))
      await run(`INSERT ${sql}`, parameters)
      return
    }
    const update = `UPDATE ${table} SET ${equals(values).join(', ')} WHERE ${isRow}`
    await run(`${update}; IF @@ROWCOUNT = 0 INSERT ${sql}`, [
      ...Object.values(values),
      ...Object.values(key),
      ...parameters,
    ])
  },
  claimStream: async () => {},
  // An earlier run that is still committing is waited for. Held until the end of the transaction.
  async lockStream({ rows }, { connectorId, stream }) {
    const name = literal(`tributary:${connectorId}:${stream}`.slice(0, 255))
    const [row] = await rows(
      `DECLARE @held int; EXEC @held = sp_getapplock @Resource = ${name}, @LockMode = 'Exclusive', @LockOwner = 'Transaction', @LockTimeout = 60000; SELECT @held`,
    )
    if (Number(row?.[0] ?? 0) < 0)
      throw new Fault('passing', {
        code: 'sqlserver.stream_held',
        notice: 'A former run still holds this table. Trying again shortly.',
      })
  },
} satisfies Partial<SqlServerDialect>

const loadSql = {
  countsRows: true,
  countRows: 'CONVERT(varchar(20), COUNT_BIG(*))',
  listsDeletedKeysAlways: true,
  hashesValues: true,
  encodingFor: () => 'text',
  temporary: (name) => quote(`#tributary_${name}`),
  bulkLoader: async (session, options) => new SqlServerLoader(session, options),
  async clearStages({ run }, stages) {
    for (const stage of stages) await run(`TRUNCATE TABLE ${stage}`)
  },
  dates: {
    month: (date) => `DATEFROMPARTS(YEAR(${date}), MONTH(${date}), 1)`,
    monthEnd: (date) => `EOMONTH(${date})`,
    year: (date) => `YEAR(${date})`,
    monthOfYear: (date) => `MONTH(${date})`,
    daysBetween: (from, to) => `DATEDIFF(day, ${from}, ${to})`,
    addDays: (date, days) => `DATEADD(day, ${days}, ${date})`,
    today: (minutes) => `CAST(DATEADD(minute, ${minutes}, SYSUTCDATETIME()) AS date)`,
  },
  select: ({ connection }, select) => selectText(connection, select),
} satisfies Partial<SqlServerDialect>
