/** The GRANT that is missing where MySQL or MariaDB refuses something, ready to copy. */
import { errorNumber } from './faults.ts'
import { quote, quoteText } from './quoting.ts'

/** What the connection is for: reading takes SELECT, writing all that a target does. */
export type Needs = 'reading' | 'writing'

export interface Lacking {
  /** `user@host` as the server knows it; null before it has said so. */
  readonly account: string | null
  readonly reach: { readonly user: string; readonly database: string }
  readonly needs: Needs
}

const all = {
  reading: 'SELECT',
  writing: 'SELECT, INSERT, UPDATE, DELETE, CREATE, CREATE TEMPORARY TABLES, ALTER, DROP, INDEX',
} as const
/** `INSERT, CREATE command denied to user 'x'@'y' for table 'z'`; some versions quote the names otherwise. */
const deniedCommand = /^([A-Z][A-Z ,]*?) command denied to user/
const deniedPrivilege = /at least one of\) the ([A-Z][A-Z_ ]*?) privilege/
const deniedTable = /for table [`'](?:[^`']+[`']\.[`'])?([^`']+)[`']/

export function missingGrant(error: unknown, lacking: Lacking): string | null {
  const said = messageOf(error)
  switch (errorNumber(error)) {
    case 1044:
      // A database that could be opened refuses only one thing by this number.
      return onDatabase(
        lacking.account === null || lacking.needs === 'reading' ? all[lacking.needs] : 'CREATE TEMPORARY TABLES',
        lacking,
      )
    case 1142:
    case 1143:
      return lacking.needs === 'reading'
        ? onTable(said, lacking)
        : onDatabase(deniedCommand.exec(said)?.[1] ?? all.writing, lacking)
    case 1227:
      return onServer(deniedPrivilege.exec(said)?.[1], lacking)
    default:
      return null
  }
}

/** Without tables, all of the database. */
export function grantReading(tables: readonly string[], lacking: Lacking): string {
  if (tables.length === 0) return onDatabase(all.reading, lacking)
  return tables
    .map((table) => `GRANT SELECT ON ${quote(lacking.reach.database)}.${quote(table)} TO ${accountOf(lacking)};`)
    .join('\n')
}

function onTable(said: string, lacking: Lacking): string {
  const table = deniedTable.exec(said)?.[1]
  return grantReading(table === undefined ? [] : [table], lacking)
}

function onDatabase(rights: string, lacking: Lacking): string {
  return `GRANT ${rights} ON ${quote(lacking.reach.database)}.* TO ${accountOf(lacking)};`
}

function onServer(right: string | undefined, lacking: Lacking): string | null {
  return right === undefined ? null : `GRANT ${right} ON *.* TO ${accountOf(lacking)};`
}

function accountOf({ account, reach }: Lacking): string {
  const at = account?.lastIndexOf('@') ?? -1
  const [user, host] = account === null || at === -1 ? [reach.user, '%'] : [account.slice(0, at), account.slice(at + 1)]
  return `${quoteText(user)}@${quoteText(host)}`
}

/** The driver's own words, without the name of its error. */
function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : ''
}
