/** The missing GRANT, ready to copy, for an error of SQL Server. */
import { errorNumber } from './faults.ts'
import { quote, quoteTable } from './quoting.ts'

interface SqlServerUser {
  readonly user: string
  readonly database: string
}

/** By error number: the English message, and the statement for the names in it. */
const statements: {
  readonly [number: number]: readonly [message: RegExp, grant: (user: string, named: readonly string[]) => string]
} = {
  229: [/^The ([A-Z ]+) permission was denied on the object '(.+?)', database '.+?', schema '(.+?)'/, onObject],
  230: [
    /^The ([A-Z ]+) permission was denied on the column '.+?' of the object '(.+?)', database '.+?', schema '(.+?)'/,
    onObject,
  ],
  262: [/^([A-Z ]+) permission denied in database/, (user, [right = '']) => `GRANT ${right} TO ${user};`],
  2760: [
    /^The specified schema name "(.+?)"/,
    (user, [schema = '']) => `GRANT ALTER ON SCHEMA::${quote(schema)} TO ${user};`,
  ],
}

export function missingGrant(error: unknown, { user, database }: SqlServerUser): string | null {
  const number = errorNumber(error) ?? 0
  if (number === 4060) return `USE ${quote(database)}; CREATE USER ${quote(user)} FOR LOGIN ${quote(user)};`
  const [pattern, grant] = statements[number] ?? []
  const named = pattern?.exec(messageOf(error))
  return grant === undefined || named === null || named === undefined ? null : grant(quote(user), named.slice(1))
}

/** @param tables `dbo.invoice`, or `invoice` of the default schema; without any, the whole database. */
export function grantReading(user: string, tables: readonly string[]): string {
  if (tables.length === 0) return `ALTER ROLE db_datareader ADD MEMBER ${quote(user)};`
  return tables.map((table) => `GRANT SELECT ON ${quoteTable(table)} TO ${quote(user)};`).join('\n')
}

function onObject(user: string, [right = '', object = '', schema = '']: readonly string[]): string {
  return `GRANT ${right} ON ${quote(schema)}.${quote(object)} TO ${user};`
}

/** The innermost message: the driver wraps that of the server. */
function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  return error.cause === undefined ? error.message : messageOf(error.cause)
}
