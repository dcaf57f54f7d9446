/** The missing GRANT, ready to copy, for an error of MySQL or MariaDB. */
import { errorNumber } from './faults.ts'
import { quote, quoteText } from './quoting.ts'

/** Reading needs SELECT, writing needs everything that a target does. */
export type ConnectionUse = 'reading' | 'writing'

export interface GrantContext {
  /** `user@host` as the server knows it; null until the server has reported it. */
  readonly account: string | null
  readonly reach: { readonly user: string; readonly database: string }
  readonly use: ConnectionUse
}

const all = {
  reading: 'SELECT',
  writing: 'SELECT, INSERT, UPDATE, DELETE, CREATE, CREATE TEMPORARY TABLES, ALTER, DROP, INDEX',
} as const
/** `INSERT, CREATE command denied to user 'x'@'y' for table 'z'`; some versions quote the names differently. */
const deniedCommand = /^([A-Z][A-Z ,]*?) command denied to user/
const deniedPrivilege = /at least one of\) the ([A-Z][A-Z_ ]*?) privilege/
const deniedTable = /for table [`'](?:[^`']+[`']\.[`'])?([^`']+)[`']/

export function missingGrant(error: unknown, context: GrantContext): string | null {
  const message = messageOf(error)
  switch (errorNumber(error)) {
    case 1044:
      // Once a database is open, this number means one right only.
      return onDatabase(
        context.account === null || context.use === 'reading' ? all[context.use] : 'CREATE TEMPORARY TABLES',
        context,
      )
    case 1142:
    case 1143:
      return context.use === 'reading'
        ? onTable(message, context)
        : onDatabase(deniedCommand.exec(message)?.[1] ?? all.writing, context)
    case 1227:
      return onServer(deniedPrivilege.exec(message)?.[1], context)
    default:
      return null
  }
}

/** Without tables, the whole database. */
export function grantReading(tables: readonly string[], context: GrantContext): string {
  if (tables.length === 0) return onDatabase(all.reading, context)
  return tables
    .map((table) => `GRANT SELECT ON ${quote(context.reach.database)}.${quote(table)} TO ${accountOf(context)};`)
    .join('\n')
}

function onTable(message: string, context: GrantContext): string {
  const table = deniedTable.exec(message)?.[1]
  return grantReading(table === undefined ? [] : [table], context)
}

function onDatabase(rights: string, context: GrantContext): string {
  return `GRANT ${rights} ON ${quote(context.reach.database)}.* TO ${accountOf(context)};`
}

function onServer(right: string | undefined, context: GrantContext): string | null {
  return right === undefined ? null : `GRANT ${right} ON *.* TO ${accountOf(context)};`
}

function accountOf({ account, reach }: GrantContext): string {
  const at = account?.lastIndexOf('@') ?? -1
  const [user, host] = account === null || at === -1 ? [reach.user, '%'] : [account.slice(0, at), account.slice(at + 1)]
  return `${quoteText(user)}@${quoteText(host)}`
}

/** The message without the name of the error class. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : ''
}
