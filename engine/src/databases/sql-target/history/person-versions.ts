/** The row versions of a person: counts them, and clears columns in all of them. */
import { Fault } from '../../../ports/faults.ts'
import type { PersonSearch, PersonTable, PersonVersions } from '../../../ports/history.ts'
import type { WriterSession } from '../dialect.ts'
import { fencedTransaction } from '../state-store.ts'
import { columnsInHistory, type StoredHistory } from './history-table.ts'
import { listHistories } from './prepare-history.ts'

type Context = Pick<WriterSession, 'dialect' | 'session'>

/** A history with its names in SQL. */
interface SearchedTable extends PersonTable {
  readonly stored: StoredHistory
  /** Quoted name of the history table. */
  readonly history: string
  /** The quoted name of a column of the table in its history. */
  readonly columnOf: (name: string) => string
}

export async function countPersonVersions(
  context: Context,
  search: PersonSearch,
  moments: readonly string[],
): Promise<readonly PersonVersions[]> {
  const { dialect, session } = context
  const tables = await findTables(context, search)
  const found: PersonVersions[] = []
  for (const table of tables) {
    const isCounted = [isOfPerson(context, search, { main: tables[0], table }), ...hasValues(table)].join(' AND ')
    const count = async (more: string): Promise<number> => {
      const [row] = await session.rows(`SELECT ${dialect.countRows} FROM ${table.history} WHERE ${isCounted}${more}`)
      return Number(row?.[0] ?? 0)
    }
    const at: number[] = []
    for (const moment of moments) at.push(await count(` AND ${isValidAt(context, table, moment)}`))
    found.push({ table: table.table, name: table.stored.name, versions: await count(''), at })
  }
  return found
}

export async function erasePerson(
  context: WriterSession,
  searches: readonly PersonSearch[],
  unchanged: readonly string[],
): Promise<void> {
  const { dialect, session, writer } = context
  const prepared: { readonly search: PersonSearch; readonly tables: readonly SearchedTable[] }[] = []
  for (const search of searches) prepared.push({ search, tables: await findTables(context, search) })
  await fencedTransaction(dialect, session, writer, async () => {
    const before = await readViews(context, unchanged)
    for (const { search, tables } of prepared) await clear(context, search, tables)
    const after = await readViews(context, unchanged)
    const changed = [...before.keys()].find((view) => before.get(view) !== after.get(view))
    if (changed === undefined) return
    throw new Fault('settings', {
      code: 'engine.amounts_would_change',
      notice: `Nothing was erased, because ‘${changed}’ would show other figures: one of the chosen columns decides what is posted, such as a status or an account code. Choose only columns with data of the person.`,
    })
  })
}

/** Children first: their rows are found by those of the main table, in which the value is cleared. */
async function clear(context: Context, search: PersonSearch, tables: readonly SearchedTable[]): Promise<void> {
  for (const table of tables.toReversed()) {
    if (table.clear.length === 0) continue
    const set = table.clear.map((name) => `${table.columnOf(name)} = NULL`).join(', ')
    const where = isOfPerson(context, search, { main: tables[0], table })
    await context.session.run(`UPDATE ${table.history} SET ${set} WHERE ${where}`)
  }
}

/** @throws Fault `settings` */
async function findTables(
  context: Context,
  { connectorId, column, tables }: PersonSearch,
): Promise<readonly SearchedTable[]> {
  const { dialect, session } = context
  const writer = { connectorId, runId: '', fence: 0 }
  const stored = await listHistories({ dialect, session, writer })
  const { quote, identifierMax: max } = dialect.facts
  const found = tables.flatMap((table): SearchedTable[] => {
    const history = stored.find((each) => each.table === table.table)
    if (history === undefined) return []
    const fold = (name: string): string => dialect.foldName(name)
    const columnOf = (name: string): string => quote(columnsInHistory([name], history.names, { max, fold })[0] ?? name)
    return [{ ...table, stored: history, history: dialect.qualified(history.name), columnOf }]
  })
  if (found[0]?.table !== tables[0]?.table) throw noHistory(tables[0]?.table ?? '')
  for (const [at, table] of found.entries())
    await requireColumns(context, table, at === 0 ? [column, ...table.key] : table.key)
  return found
}

async function requireColumns(
  { dialect, session }: Context,
  { table, stored, key, clear, columnOf }: SearchedTable,
  searched: readonly string[],
): Promise<void> {
  const existing = await dialect.readColumns(session, stored.name)
  const has = new Set(existing.map(({ name }) => dialect.facts.quote(dialect.foldName(name))))
  const unknown = [...searched, ...clear].find((name) => !has.has(dialect.foldName(columnOf(name))))
  if (unknown !== undefined)
    throw new Fault('settings', {
      code: 'engine.history_column',
      notice: `The history of ‘${table}’ has no column ‘${unknown}’. Choose one of its columns.`,
    })
  const keys = new Set([
    ...key,
    ...(await dialect.readColumns(session, table)).flatMap(({ name, isKey }) => (isKey ? [name] : [])),
  ])
  const fixed = clear.filter((name) => keys.has(name))
  if (fixed.length === 0) return
  throw new Fault('settings', {
    code: 'engine.history_key',
    notice: `${fixed.map((name) => `‘${name}’`).join(', ')} identifies the rows of ‘${table}’, so it cannot be erased. Choose other columns.`,
  })
}

function noHistory(table: string): Fault {
  return new Fault('settings', {
    code: 'engine.no_history',
    notice: `No history is kept of the table ‘${table}’, so there is nothing to erase.`,
  })
}

/**
 * True of the versions of rows that have the value, or had it. MySQL and MariaDB update no table that a subquery reads, unless the
 * rows of the subquery are collected first, which DISTINCT does.
 */
function isOfPerson(
  { dialect }: Context,
  { column, value }: PersonSearch,
  { main, table }: { readonly main: SearchedTable | undefined; readonly table: SearchedTable },
): string {
  if (main === undefined) return '1 = 0'
  const hasValue = `${dialect.asText(main.columnOf(column))} = ${dialect.textLiteral(value)}`
  if (main.key.length === 0) return table === main ? hasValue : '1 = 0'
  const keys = main.key.map((name, at) => `${main.columnOf(name)} AS ${dialect.facts.quote(`person_key_${at}`)}`)
  const isSame = table.key.map((name, at) => {
    const [left, right] = [`p.${dialect.facts.quote(`person_key_${at}`)}`, table.columnOf(name)]
    return `${left} = ${right} AND ${dialect.asText(left)} = ${dialect.asText(right)}`
  })
  return `EXISTS (SELECT 1 FROM (SELECT DISTINCT ${keys.join(', ')} FROM ${main.history} WHERE ${hasValue}) p WHERE ${isSame.join(' AND ')})`
}

function hasValues({ clear, columnOf }: SearchedTable): readonly string[] {
  return clear.length === 0 ? [] : [`(${clear.map((name) => `${columnOf(name)} IS NOT NULL`).join(' OR ')})`]
}

function isValidAt({ dialect }: Context, { stored }: SearchedTable, moment: string): string {
  const [from, to] = [stored.names.validFrom, stored.names.validTo].map((name) => dialect.facts.quote(name))
  const at = dialect.momentLiteral(moment)
  return `${from} <= ${at} AND (${to} IS NULL OR ${to} > ${at})`
}

/** The rows of each view that exists, as one text. */
async function readViews(
  { dialect, session }: Context,
  views: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const read = new Map<string, string>()
  for (const view of views) {
    const name = dialect.viewName(view)
    if (!(await dialect.relationExists(session, name))) continue
    const rows = await session.rows(`SELECT * FROM ${dialect.qualified(name)}`)
    read.set(view, JSON.stringify(rows.map((row) => JSON.stringify(row)).toSorted()))
  }
  return read
}
