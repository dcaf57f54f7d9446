/** The suite of every target, on the SQL Server that `TRIBUTARY_TEST_SQLSERVER` names. */
import { describe } from 'vitest'
import type { LogicalType, Table } from '../../ports/model.ts'
import { fitNames } from '../sql-target/names.ts'
import type { SqlConnection } from './connection.ts'
import { literal, quote } from './quoting.ts'
import type { RowFields } from '@tributary/testing/engine/sync/fixtures.ts'
import { lacks, makeServerDatabase, readText } from '@tributary/testing/engine/sqlserver/sqlserver-server.ts'
import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import type { TargetUnderTest } from '@tributary/testing/conformance/target/target-bench.ts'
import { testTarget } from '@tributary/testing/conformance/target/target-suite.ts'
import { facts } from './target-facts.ts'
import { sqlServerTarget } from './target.ts'

const schema = 'Shop'

testTarget(
  'SQL Server as a target',
  async (): Promise<TargetUnderTest> => {
    const { reach, connection, ...database } = await makeServerDatabase()
    return {
      open: (signal) => sqlServerTarget.open({ ...reach, schema }, connectionContext(signal)),
      rows: (table) => readRows(connection, table),
      report: (which, connectorId) => readReport(connection, which, connectorId),
      drop: async (table) =>
        void (await connection.run(`DROP TABLE ${quote(schema)}.${quote(await nameOf(connection, table))}`)),
      asOf: async (of, moment) => {
        const call = `${quote(schema)}.${quote(`${of}__as_of`)}('${moment.slice(0, 26)}')`
        const rows = await connection.rows(`SELECT * FROM ${call}`)
        return rows.map((row) => `(${row.join(',')})`).toSorted()
      },
      secrets: [reach.password],
      [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
    }
  },
  (what) => what !== 'sql' && what !== 'textLength' && lacks(what),
)

// What this server lacks runs against the stub instead.
if (lacks('alterView')) {
  describe('alterView, on the stub', async () => {
    await import('../../apis/xero/ledger/tie-out.test.ts')
  })
}
if (lacks('alterColumn') || lacks('anyName')) {
  describe('alterColumn and anyName, on the stub', async () => {
    await import('./dialect/tables.test.ts')
  })
}

async function nameOf(connection: SqlConnection, table: Table): Promise<string> {
  const [row] = await connection.rows(
    `SELECT name FROM ${quote(schema)}.[tributary_table] WHERE source_name = ${literal(table.name)} ORDER BY name`,
  )
  return String(row?.[0] ?? table.name)
}

async function readRows(connection: SqlConnection, table: Table): Promise<readonly RowFields[]> {
  const names = fitNames(
    table.columns.map(({ name }) => name),
    facts.identifierMax,
  )
  const { columns, rows } = await readText(connection, schema, await nameOf(connection, table))
  const places = table.columns.map(({ name, type }) => ({
    type,
    // A server may keep names in small letters.
    at: columns.findIndex((each) => each.name.toLowerCase() === (names.get(name) ?? name).toLowerCase()),
  }))
  const canonical = rows.map((row) => places.map(({ type, at }) => canonicalText(row[at] ?? null, type)))
  return canonical.toSorted(
    (a, b) =>
      Number(a[0]) - Number(b[0]) ||
      String(a[0]).localeCompare(String(b[0])) ||
      String(a[1]).localeCompare(String(b[1])),
  )
}

function canonicalText(text: string | null, type: LogicalType): string | null {
  if (text === null) return null
  switch (type.kind) {
    case 'boolean':
      return text === '1' ? 't' : 'f'
    case 'time':
    case 'localTimestamp':
      return shortened(text)
    case 'instant':
      return `${shortened(text)}+00`
    case 'bytes':
      return `\\x${text.toLowerCase()}`
    default:
      return text
  }
}

function shortened(moment: string): string {
  return moment.replace(/\.?0+$/, (end) => (moment.includes('.') ? '' : end))
}

async function readReport(connection: SqlConnection, which: string, connectorId: string) {
  const { columns, rows } = await readText(connection, schema, `tributary_${which}`)
  const records = rows.map((row): Record<string, string | null> =>
    Object.fromEntries(columns.map(({ name }, at) => [name, row[at] ?? null])),
  )
  const order = which === 'run' ? 'started_at' : 'table_name'
  return records
    .filter((record) => record['connector'] === connectorId)
    .toSorted((a, b) => String(a[order]).localeCompare(String(b[order])))
}
