/** Replacements: shadow tables are loaded while readers see the tables, then take their place in one RENAME. */
import type { ConnectionContext } from '../../../ports/source.ts'
import { type WriteCounts, FencedError, type Writer } from '../../../ports/target.ts'
import type { ReplacementEnd } from '../../sql-target/dialect.ts'
import { writeFreshness } from '../../sql-target/run-reports.ts'
import { toJson, writeState } from '../../sql-target/state-store.ts'
import type { StoredState } from '../../sql-target/stored-state.ts'
import { hasSameKeyColumns, type TargetTable } from '../../sql-target/table-layout.ts'
import { errorNumber } from '../faults.ts'
import { columnList, quote } from '../quoting.ts'
import type { MysqlDialect, MysqlSession } from './session.ts'
import { commitFenced, statements } from './statements.ts'
import { claimStream, digest, releaseStream } from './system-tables.ts'
import { readColumns, relationExists, remarkClause } from './tables.ts'

type ClockAndSignal = Pick<ConnectionContext, 'clock' | 'signal'>

/** A swap that has been decided: the state it leads to, and the tables that change places. Stored as JSON in `tributary_state`. */
interface DecidedSwap {
  readonly state: StoredState
  readonly tables: readonly SwappedTable[]
}

interface SwappedTable {
  readonly name: string
  /** Name of the shadow table. The names of these properties are stored, so they must not change. */
  readonly beside: string
  readonly former: string
}

export function shadowName(connectorId: string, table: string): string {
  return `tributary_new_${digest(connectorId)}_${digest(table)}`
}

function formerName(connectorId: string, table: string): string {
  return `tributary_old_${digest(connectorId)}_${digest(table)}`
}

interface MysqlReplacement {
  readonly swapped: readonly SwappedTable[]
  readonly around: ClockAndSignal
}

/** DDL commits in MySQL, so the swap is decided in one transaction, made, and noted in another. The next run finishes a decided swap. */
async function finishReplacement(
  session: MysqlSession,
  { swapped, around }: MysqlReplacement,
  end: ReplacementEnd,
): Promise<WriteCounts> {
  const decided = await end.transaction(async () => {
    const { counts, state, rows } = await end.apply()
    await end.recordHistory()
    const swap: DecidedSwap = { state: end.endState(rows), tables: swapped }
    await end.writeState(state, { swap: toJson(swap) })
    return { counts, state: swap.state }
  })
  await swapTables(session, swapped, around)
  await end.transaction(() => end.writeEnd(decided.state))
  await dropFormerTables(session, swapped)
  return decided.counts
}

/** Like the table that it will replace, with the indexes that users have created for their reports. */
async function createShadowTable({ connection }: MysqlSession, target: TargetTable, name: string): Promise<void> {
  await connection.run(`DROP TABLE IF EXISTS ${quote(name)}`)
  await connection.run(`CREATE TABLE ${quote(name)} LIKE ${quote(target.name)}`)
  const existing = await readColumns(connection, name)
  if (hasSameKeyColumns(existing, target.key)) return
  const formerKey = existing.filter((column) => column.isKey)
  const freed = formerKey
    .filter((column) => !target.key.includes(column.name))
    .map((column) => `MODIFY COLUMN ${quote(column.name)} ${column.type} NULL${remarkClause(column)}`)
  const bound = target.columns
    .filter((column) => column.isKey)
    .map((column) => {
      const before = existing.find(({ name: existingName }) => existingName === column.name)
      return `MODIFY COLUMN ${quote(column.name)} ${column.type} NOT NULL${before === undefined ? '' : remarkClause(before)}`
    })
  const drop = formerKey.length === 0 ? [] : ['DROP PRIMARY KEY']
  const add = target.key.length === 0 ? [] : [`ADD PRIMARY KEY (${columnList(target.key)})`]
  await connection.run(`ALTER TABLE ${quote(name)} ${[...drop, ...freed, ...bound, ...add].join(', ')}`)
}

const swapAttempts = 6
const swapPauseMs = 1_000
const lockWaitTimeout = 1205

/** Waits for readers several times for a short while, so that later readers do not queue behind it. */
async function swapTables(
  session: MysqlSession,
  tables: readonly SwappedTable[],
  around: ClockAndSignal,
): Promise<void> {
  await dropFormerTables(session, tables)
  const renames: string[] = []
  for (const { name, beside, former } of tables) {
    // A user may have dropped the table meanwhile: then nothing has to make way.
    if (await relationExists(session, name)) renames.push(`${quote(name)} TO ${quote(former)}`)
    renames.push(`${quote(beside)} TO ${quote(name)}`)
  }
  for (let attempt = 1; ; attempt++) {
    try {
      await session.run(`RENAME TABLE ${renames.join(', ')}`)
      return
    } catch (error) {
      if (errorNumber(error) !== lockWaitTimeout || attempt === swapAttempts) throw error
      await around.clock.sleep(swapPauseMs, around.signal)
    }
  }
}

async function dropFormerTables({ run }: MysqlSession, tables: readonly SwappedTable[]): Promise<void> {
  for (const { former } of tables) await run(`DROP TABLE IF EXISTS ${quote(former)}`)
}

/**
 * Finishes the swaps that a killed run had decided: its rows were committed and only have to be shown. Returns the failures by stream: they
 * concern that stream only.
 */
export async function finishSwaps(
  session: MysqlSession,
  writer: Writer,
  around: ClockAndSignal,
): Promise<ReadonlyMap<string, unknown>> {
  const failures = new Map<string, unknown>()
  const decided = await session.rows(
    'SELECT stream, swap FROM tributary_state WHERE connector = ? AND swap IS NOT NULL',
    [writer.connectorId],
  )
  for (const [stream, swap] of decided.map(
    ([name, json]) => [name ?? '', JSON.parse(json ?? 'null') as DecidedSwap] as const,
  )) {
    try {
      await claimStream(session, writer, stream)
      await finishSwap(session, { writer, stream, swap }, around)
    } catch (error) {
      if (error instanceof FencedError || around.signal.aborted) throw error
      failures.set(stream, error)
      // Fails where the connection is lost, which ends the run.
      await session.run('ROLLBACK')
    }
    await releaseStream(session, writer, stream)
  }
  return failures
}

interface OpenSwap {
  readonly writer: Writer
  readonly stream: string
  readonly swap: DecidedSwap
}

async function finishSwap(
  session: MysqlSession,
  { writer, stream, swap }: OpenSwap,
  around: ClockAndSignal,
): Promise<void> {
  const isWaiting = await relationExists(session, swap.tables[0]?.beside ?? '')
  if (isWaiting) await swapTables(session, swap.tables, around)
  await writeState(statements, session, { writer, stream, state: swap.state })
  const { freshAt, sweptAt: comparedAt } = swap.state
  // Absent from swaps that an earlier version has decided.
  if (freshAt != null) {
    const moved = await countRows(session, swap.tables)
    await writeFreshness({ dialect: statements, session, writer }, { stream, moved, freshAt, comparedAt })
  }
  await commitFenced(session, writer)
  await dropFormerTables(session, swap.tables)
}

/** A replacement has moved every row. */
async function countRows(
  { rows }: MysqlSession,
  tables: readonly SwappedTable[],
): Promise<ReadonlyMap<string, number>> {
  const moved = new Map<string, number>()
  for (const { name } of tables) moved.set(name, Number((await rows(`SELECT COUNT(*) FROM ${quote(name)}`))[0]?.[0]))
  return moved
}

export const shadowSql = {
  shadowName: (table, { connectorId }) => shadowName(connectorId, table),
  /**
   * Takes back the promise that shadow tables can be continued before they are dropped. A writer that was declared dead gets no further than
   * this, and no successor continues with tables that another writer has begun again.
   */
  async discardRefresh(session, { writer, stream, state }) {
    if (state.refresh !== null)
      await writeState(statements, session, { writer, stream, state: { ...state, refresh: null } })
    await commitFenced(session, writer)
  },
  async dropShadowTables({ run }, tables, { connectorId }) {
    for (const { name } of tables) await run(`DROP TABLE IF EXISTS ${quote(shadowName(connectorId, name))}`)
  },
  async openShadowTables(session, { writer: { connectorId }, stream, tables, refresh, around }) {
    const swapped = tables.map(({ name }) => ({
      name,
      beside: shadowName(connectorId, name),
      former: formerName(connectorId, name),
    }))
    if (refresh === null)
      for (const target of tables) await createShadowTable(session, target, shadowName(connectorId, target.name))
    return {
      tables: swapped.map(({ beside }) => quote(beside)),
      isDirect: stream.hasDistinctKeys,
      isResumed: refresh !== null,
      finish: (end) => finishReplacement(session, { swapped, around }, end),
    }
  },
} satisfies Partial<MysqlDialect>
