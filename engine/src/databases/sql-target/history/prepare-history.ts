/** Creates the history tables of a stream, keeps their columns like those of the tables, and ends them. */
import { createHash } from 'node:crypto'
import type { Stream } from '../../../ports/source.ts'
import type { WriterSession } from '../dialect.ts'
import { fitName, marked } from '../names.ts'
import { fencedTransaction } from '../state-store.ts'
import type { ExistingColumn, StreamTables, TargetTable } from '../table-layout.ts'
import {
  columnsInHistory,
  hasKey,
  historyClaim,
  historyNames,
  type HistoryNames,
  type HistoryTable,
  nameInHistory,
  type StoredHistory,
  type StreamHistory,
} from './history-table.ts'
import { asOfAddress, defineAsOf } from './as-of.ts'
import { fitColumn, type HistoryFit, requireSameKeys } from './fit-column.ts'
import type { CutOff } from './cut-off.ts'
import { recordVersions } from './record-versions.ts'

/**
 * The histories of the connector, those that have ended included. Not those whose table was dropped, or has another name: a rename that was cut
 * off leaves both names.
 */
export async function listHistories({ dialect, session, writer }: WriterSession): Promise<readonly StoredHistory[]> {
  const rows = await session.rows(
    `SELECT table_name, history_name, stream, names, since, ended_at, as_of_select FROM ${dialect.systemTables.histories}
     WHERE connector = ? AND history_name IN (SELECT name FROM ${dialect.systemTables.tables} WHERE ${dialect.tableExistsSql})`,
    [writer.connectorId],
  )
  return rows.map(([table, name, stream, names, since = null, endedAt = null, asOfSelect = null]) => ({
    table: String(table),
    name: String(name),
    stream: String(stream),
    names: JSON.parse(String(names)) as HistoryNames,
    since,
    endedAt,
    asOfSelect,
  }))
}

/** Called after the tables were prepared. Rows that are there already get versions from this run on. */
export async function prepareHistory(
  context: WriterSession,
  { stream, tables, cutOff }: { readonly stream: Stream; readonly tables: StreamTables; readonly cutOff: CutOff },
  stored: readonly StoredHistory[],
): Promise<StreamHistory> {
  const { dialect, session, writer } = context
  const prepared = await dialect.changeTables(session, writer, async () => {
    const all: HistoryTable[] = []
    for (const target of tables)
      all.push(
        await dialect.whileNaming(session, () =>
          prepareTable(context, { stream, target, cutOff: cutOff.moment }, stored),
        ),
      )
    return all
  })
  const history = { tables: prepared, cutOff: cutOff.moment, hasOwnVersions: cutOff.isRetry }
  const isFilled = ({ of }: HistoryTable): boolean =>
    stored.some(({ table, since, endedAt }) => table === of.name && since !== null && endedAt === null)
  if (!prepared.every(isFilled)) await fill(context, history)
  for (const table of prepared) await defineAsOf(context, table, stored)
  return history
}

interface TableToPrepare {
  readonly stream: Stream
  readonly target: TargetTable
  readonly cutOff: string
}

async function prepareTable(
  context: WriterSession,
  { stream, target, cutOff }: TableToPrepare,
  stored: readonly StoredHistory[],
): Promise<HistoryTable> {
  const { dialect, session, writer } = context
  const known = stored.find(({ table }) => table === target.name)
  const fold = { max: dialect.facts.identifierMax, fold: (name: string) => dialect.foldName(name) }
  const ownNames = target.columns.map((column) => column.name)
  const names = known?.names ?? historyNames(ownNames, fold.max, fold.fold)
  const name = known?.name ?? (await claimName(context, stream.name, target))
  const changedAt = target.table === stream.table ? findColumn(target, stream.changedAtColumn) : null
  const history: HistoryTable = {
    of: target,
    schema: target.schema,
    name,
    columns: columnsInHistory(ownNames, names, fold),
    types: target.columns.map(({ type }) => type),
    texts: new Set(),
    names,
    changedAt,
    since: (known?.endedAt === null ? known.since : null) ?? cutOff,
  }
  await dialect.beforeDdl(session, writer)
  const fitted = { ...history, ...(await fitColumns(context, history)) }
  if (known?.endedAt !== null) await storeHistory(context, stream.name, fitted)
  await dialect.ensureHistoryIndex(session, fitted, indexOf(fitted))
  return fitted
}

function findColumn(target: TargetTable, name: string | undefined): HistoryTable['changedAt'] {
  return target.columns[target.table.columns.findIndex((column) => column.name === name)] ?? null
}

/** The name that it got earlier, or a free one. */
async function claimName(context: WriterSession, stream: string, target: TargetTable): Promise<string> {
  const { dialect, session, writer } = context
  const sourceName = `${target.table.name}__history`
  const claim = [writer.connectorId, historyClaim(stream), sourceName]
  const [claimed] = await session.rows(
    `SELECT name FROM ${dialect.systemTables.tables} WHERE connector = ? AND stream = ? AND source_name = ?`,
    claim,
  )
  if (claimed !== undefined) return String(claimed[0])
  const name = await findFreeName(context, target.name, claim)
  await session.run(
    `INSERT INTO ${dialect.systemTables.tables} (name, connector, stream, source_name) VALUES (?, ?, ?, ?)`,
    [name, ...claim],
  )
  return name
}

/** A name for the history of a table that no other table has. @param claim connector, stream and name in the source */
export async function findFreeName(
  { dialect, session }: WriterSession,
  table: string,
  claim: readonly string[],
): Promise<string> {
  const max = dialect.facts.identifierMax
  const plain = fitName(`${table}__history`, max)
  let name = plain
  for (let at = 0; await isTaken(name); at++) name = marked(plain, max, `${claim.join('\t')}\t${at}`)
  return name

  async function isTaken(wanted: string): Promise<boolean> {
    const [holder] = await session.rows(dialect.nameHolderSql, [wanted])
    return holder !== undefined || (await dialect.relationExists(session, wanted))
  }
}

/** Creates the history, or adds and widens columns, so that it holds former and future values. */
async function fitColumns(
  { dialect, session }: WriterSession,
  history: HistoryTable,
): Promise<Pick<HistoryTable, 'types' | 'texts'>> {
  const { of, columns } = history
  const existing = await dialect.readColumns(session, history.name)
  const ofTable = await dialect.readColumns(session, of.name)
  const find = (list: readonly ExistingColumn[], name: string) =>
    list.find((column) => dialect.foldName(column.name) === dialect.foldName(name))
  const wanted = of.columns.map(({ type }, at) => ({ name: columns[at] ?? '', type }))
  const added = addedColumns(history, dialect.historyTypes)
  if (existing.length === 0) {
    await dialect.createHistoryTable(session, history, [...wanted, ...added])
    return history
  }
  const missing = [...wanted, ...added].filter(({ name }) => find(existing, name) === undefined)
  if (missing.length > 0) await dialect.addHistoryColumns(session, history, missing)
  const fits = of.columns.map((column, at): HistoryFit => {
    const from = find(existing, columns[at] ?? '')
    return from === undefined
      ? { type: column.type, from: null, isText: false }
      : fitColumn(dialect, column, { from, like: find(ofTable, column.name) })
  })
  requireSameKeys(dialect.facts.kind, history, fits)
  const widened = fits.flatMap(({ type, from }, at) => (from === null ? [] : [{ name: columns[at] ?? '', type, from }]))
  if (widened.length > 0) await dialect.widenHistoryColumns(session, history, widened)
  return {
    types: fits.map(({ type }) => type),
    texts: new Set(of.columns.flatMap(({ name }, at) => (fits[at]?.isText === true ? [name] : []))),
  }
}

function addedColumns(history: HistoryTable, types: WriterSession['dialect']['historyTypes']) {
  const { validFrom, validTo, runId, sourceChangedAt, rowHash, rowNumber } = history.names
  const added = [
    { name: validFrom, type: types.moment },
    { name: validTo, type: types.moment },
    { name: runId, type: types.runId },
    { name: sourceChangedAt, type: types.moment },
  ]
  return hasKey(history)
    ? added
    : [...added, { name: rowHash, type: types.hash }, { name: rowNumber, type: types.number }]
}

/** Finds the current version of a row, and of a row's children. */
function indexOf(history: HistoryTable) {
  const { of, names } = history
  const byParent = of.parentKey.every((name, at) => of.key[at] === name) ? [] : of.parentKey
  const found = hasKey(history)
    ? [...byParent, ...of.key].map((name) => nameInHistory(history, name))
    : [names.rowHash, names.rowNumber]
  const columns = [...new Set(found)]
  const digest = createHash('sha256').update(columns.join('\t')).digest('hex').slice(0, 12)
  return { name: `tributary_current_${digest}`, columns, validTo: names.validTo }
}

async function storeHistory(
  { dialect, session, writer }: WriterSession,
  stream: string,
  history: HistoryTable,
): Promise<void> {
  await dialect.upsert(session, {
    table: dialect.systemTables.histories,
    key: { table_name: history.of.name },
    values: {
      history_name: history.name,
      connector: writer.connectorId,
      stream,
      names: JSON.stringify(history.names),
      since: null,
      ended_at: null,
      as_of_select: null,
    },
  })
}

/** The first versions: of every row that is in the tables. */
async function fill(context: WriterSession, history: StreamHistory): Promise<void> {
  const { dialect, session, writer } = context
  const changed = history.tables.map(({ of }) => ({ into: dialect.qualified(of.name), stage: null }))
  await fencedTransaction(dialect, session, writer, async () => {
    await recordVersions(context, { history, changed }, { kind: 'all' })
    for (const { of } of history.tables)
      await session.run(
        `UPDATE ${dialect.systemTables.histories} SET since = ? WHERE table_name = ? AND since IS NULL`,
        [history.cutOff, of.name],
      )
  })
}

/** Closes the current versions. The history stays as it is; if it begins again, it begins from then. */
export async function endHistory(
  { dialect, session, writer }: WriterSession,
  stored: readonly StoredHistory[],
  cutOff: string,
): Promise<void> {
  const { quote } = dialect.facts
  await fencedTransaction(dialect, session, writer, async () => {
    for (const { table, name, names } of stored) {
      const change = {
        history: dialect.qualified(name),
        join: null,
        where: `h.${quote(names.validTo)} IS NULL`,
      }
      await session.run(dialect.closeVersions(change, quote(names.validTo), dialect.momentLiteral(cutOff)))
      await dialect.dropAsOf(session, asOfAddress(dialect, table))
      await session.run(`UPDATE ${dialect.systemTables.histories} SET ended_at = ? WHERE table_name = ?`, [
        cutOff,
        table,
      ])
    }
  })
}
