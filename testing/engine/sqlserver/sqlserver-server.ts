/**
 * A SQL Server given by its address, for `npm run programme -- sqlserver`: each test creates a separate database there.
 */
import { randomUUID } from 'node:crypto'
import { type BulkLoad, TYPES } from 'tedious'
import { connectSqlServer, type SqlConnection } from '@tributary/engine/databases/sqlserver/connection'
import { literal, quote } from '@tributary/engine/databases/sqlserver/quoting'
import { parseReach, type SqlServerReach } from '@tributary/engine/databases/sqlserver/settings'
import { connectionContext } from '../sync/source-context.ts'

/**
 * Features that a TDS server may lack: `alterColumn` with COLLATE or NULL, `anyName` beyond ASCII, longer than 63 bytes
 * or with brackets, `ticks` of 100 ns, `bulkTime` to the microsecond.
 */
const capabilities = [
  'alterView',
  'alterColumn',
  'anyName',
  'ticks',
  'changeTracking',
  'minActiveRowversion',
  'bulkTime',
  'cancelMidStatement',
] as const
type SqlServerCapability = (typeof capabilities)[number]

export interface ServerDatabase extends AsyncDisposable {
  readonly reach: SqlServerReach
  readonly connection: SqlConnection
}

const variable = 'TRIBUTARY_TEST_SQLSERVER'
const keys = ['data source', 'initial catalog', 'user id', 'password', 'encrypt', 'trustServerCertificate']

/** Reads the address in the format of SQL Server connection strings. */
function serverReach(): SqlServerReach {
  const pairs = (process.env[variable] ?? '').split(';').map((pair) => pair.split('=', 2))
  const given = new Map(pairs.map(([key = '', value = '']) => [key.trim().toLowerCase(), value.trim()]))
  const fields = keys.flatMap((key) => (given.has(key.toLowerCase()) ? [[key, given.get(key.toLowerCase())]] : []))
  return parseReach({ 'initial catalog': 'master', ...Object.fromEntries(fields) }, variable)
}

/** Whether `TRIBUTARY_TEST_SQLSERVER_LACKS` declares that the server lacks the feature. */
export function lacks(capability: SqlServerCapability): boolean {
  const declared = (process.env[`${variable}_LACKS`] ?? '').split(',').filter((name) => name !== '')
  const unknown = declared.find((name) => !capabilities.some((each) => each === name))
  if (unknown !== undefined)
    throw new Error(`${variable}_LACKS names ${unknown}; there are ${capabilities.join(', ')}.`)
  return declared.includes(capability)
}

export async function makeServerDatabase(statements: readonly string[] = []): Promise<ServerDatabase> {
  const reach = { ...serverReach(), database: `tributary_test_${randomUUID().slice(0, 8)}` }
  await inMaster(`CREATE DATABASE ${quote(reach.database)}`)
  const connection = await connectSqlServer(reach, connectionContext())
  for (const sql of statements) await connection.run(sql)
  return {
    reach,
    connection,
    async [Symbol.asyncDispose]() {
      await connection[Symbol.asyncDispose]()
      await inMaster(`DROP DATABASE ${quote(reach.database)}`)
    },
  }
}

async function inMaster(sql: string): Promise<void> {
  await using master = await connectSqlServer(serverReach(), connectionContext())
  await master.run(sql)
}

/** A plain bulk load of text into a new table, as a baseline for the server's speed. */
export async function bulkLoadText(
  connection: SqlConnection,
  names: readonly string[],
  rows: Iterable<readonly string[]>,
): Promise<void> {
  await connection.run('DROP TABLE IF EXISTS plain')
  await connection.run(`CREATE TABLE plain (${names.map((name) => `${quote(name)} nvarchar(400)`).join(', ')})`)
  const describe = (load: BulkLoad): void => {
    for (const name of names) load.addColumn(name, TYPES.NVarChar, { length: 400, nullable: true })
  }
  await connection.bulk('plain', describe, rows)
}

interface TextColumn {
  readonly name: string
  readonly type: string
}

interface TextTable {
  readonly columns: readonly TextColumn[]
  readonly rows: readonly (readonly (string | null)[])[]
}

/** Reads every value as text with all its digits. The result has no columns if there is no such table. */
export async function readText(connection: SqlConnection, schema: string, table: string): Promise<TextTable> {
  const name = `${quote(schema)}.${quote(table)}`
  const found = await connection.rows(
    `SELECT CONVERT(nvarchar(128), c.name), CONVERT(nvarchar(128), y.name) FROM sys.columns c JOIN sys.types y ON y.user_type_id = c.user_type_id
    WHERE c.object_id = OBJECT_ID(${literal(name)}) ORDER BY c.column_id`,
  )
  const columns = found.map(([column, type]) => ({ name: String(column), type: String(type) }))
  if (columns.length === 0) return { columns, rows: [] }
  const rows = await connection.rows(`SELECT ${columns.map(asText).join(', ')} FROM ${name}`)
  return { columns, rows: rows.map((row) => row.map(readValue)) }
}

function readValue(value: unknown): string | null {
  if (value === null || value === undefined) return null
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)
}

function asText({ name, type }: TextColumn): string {
  const column = quote(name)
  if (type.startsWith('datetime') || type === 'time') return `CONVERT(varchar(40), ${column}, 121)`
  if (type === 'date') return `CONVERT(varchar(10), ${column}, 23)`
  if (type === 'uniqueidentifier') return `LOWER(CONVERT(nvarchar(36), ${column}))`
  if (type === 'float') return `CONVERT(varchar(40), ${column}, 3)`
  return type === 'varbinary' ? column : `CONVERT(nvarchar(max), ${column})`
}
