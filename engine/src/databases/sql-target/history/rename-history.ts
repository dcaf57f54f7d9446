/**
 * The history of a table that is renamed: its table and its function get names after the new one, in the step that renames the table. Databases
 * that cannot undo a rename keep the histories under both names meanwhile; the one counts whose table exists.
 */
import type { WriterSession } from '../dialect.ts'
import type { RenamedTable } from '../table-layout.ts'
import { asOfAddress, type AsOfHistory, replaceAsOf, storedQuery } from './as-of.ts'
import { columnsInHistory, historyClaim, type StoredHistory } from './history-table.ts'
import { findFreeName, listHistories } from './prepare-history.ts'

export interface HistoryRename {
  readonly stored: StoredHistory
  /** The history table. */
  readonly renamed: RenamedTable
  /** As it is afterwards. */
  readonly history: AsOfHistory
}

/** The histories of tables that get another name. */
export async function planHistoryRenames(
  context: WriterSession,
  renamed: readonly RenamedTable[],
): Promise<readonly HistoryRename[]> {
  const { dialect, writer } = context
  const moved = renamed.filter(({ name, newName }) => name !== newName)
  if (moved.length === 0) return []
  const all = await listHistories(context)
  const plans: HistoryRename[] = []
  for (const { name, newName, stream, from, to } of moved) {
    const stored = all.find(({ table }) => table === name)
    if (stored === undefined) continue
    const claim = { stream: historyClaim(stream), from: `${from}__history`, to: `${to}__history` }
    const isSame = dialect.foldName(name) === dialect.foldName(newName)
    const newHistory = isSame
      ? stored.name
      : await findFreeName(context, newName, [writer.connectorId, claim.stream, claim.to])
    plans.push({
      stored,
      renamed: { ...claim, name: stored.name, newName: newHistory },
      history: await readHistory(context, stored, { table: newName, name: newHistory }),
    })
  }
  return plans
}

/** From the columns that the table has, because its stream is not known. */
async function readHistory(
  { dialect, session }: WriterSession,
  { table, name, names, since }: StoredHistory,
  renamed: { readonly table: string; readonly name: string },
): Promise<AsOfHistory> {
  const kept = new Map((await dialect.readColumns(session, name)).map((column) => [column.name, column.type]))
  const all = await dialect.readColumns(session, table)
  const inHistory = columnsInHistory(
    all.map((column) => column.name),
    names,
    { max: dialect.facts.identifierMax, fold: (column) => dialect.foldName(column) },
  )
  const both = all.flatMap((column, at) => (kept.has(inHistory[at] ?? '') ? [{ column, is: inHistory[at] ?? '' }] : []))
  return {
    of: { name: renamed.table, columns: both.map(({ column }) => column) },
    columns: both.map(({ is }) => is),
    types: both.map(({ is }) => kept.get(is) ?? ''),
    name: renamed.name,
    names,
    since: since ?? '',
  }
}

/** Belongs before the tables are renamed. */
export async function storeNewNames(
  { dialect, session }: WriterSession,
  { stored, history }: HistoryRename,
): Promise<void> {
  const { histories } = dialect.systemTables
  const text = dialect.textLiteral
  const asOf = stored.asOfSelect === null ? 'NULL' : text(storedQuery(dialect, history))
  await session.run(`DELETE FROM ${histories} WHERE table_name = ?`, [history.of.name])
  await session.run(
    `INSERT INTO ${histories} (table_name, history_name, connector, stream, names, since, ended_at, as_of_select)
     SELECT ${text(history.of.name)}, ${text(history.name)}, connector, stream, names, since, ended_at, ${asOf} FROM ${histories} WHERE table_name = ${text(stored.table)}`,
  )
}

/** Once the tables have their new names. */
export async function finishHistoryRename(context: WriterSession, { stored, history }: HistoryRename): Promise<void> {
  const { dialect, session } = context
  await session.run(`DELETE FROM ${dialect.systemTables.histories} WHERE table_name = ?`, [stored.table])
  await dialect.dropAsOf(session, asOfAddress(dialect, stored.table))
  if (stored.endedAt === null && stored.asOfSelect !== null) await replaceAsOf(context, history)
}
