/** Fencing token and stream states in the system tables of a target. */
import type { Checkpoint } from '../../ports/model.ts'
import { keepOriginOnly } from '../../ports/origin.ts'
import { FencedError, type Writer } from '../../ports/target.ts'
import type { SqlDialect, SqlRecord, SystemTables, WriterSession } from './dialect.ts'
import type { TargetSession } from './sessions.ts'
import { emptyState, type StateKey, type StoredState } from './stored-state.ts'

export function systemTablesIn(qualified: (name: string) => string): SystemTables {
  return {
    writer: qualified('tributary_writer'),
    state: qualified('tributary_state'),
    tables: qualified('tributary_table'),
    rejects: qualified('tributary_reject'),
    runs: qualified('tributary_run'),
    freshness: qualified('tributary_freshness'),
    histories: qualified('tributary_history'),
    cutOffs: qualified('tributary_cut_off'),
  }
}

/** Runs `work` in a transaction. After an error the caller closes the session, which rolls back. */
export async function transaction<T>(
  { begin, commit }: Pick<SqlDialect, 'begin' | 'commit'>,
  session: Pick<TargetSession, 'run'>,
  work: () => Promise<T>,
): Promise<T> {
  if (begin !== null) await session.run(begin)
  const result = await work()
  await session.run(commit)
  return result
}

/** Last statement before COMMIT: throws `Fenced` if a newer run has begun, and keeps one from beginning until the transaction ends. */
export async function holdFence<Session>(
  dialect: Pick<SqlDialect<Session>, 'lockFence'>,
  session: Session,
  writer: Writer,
): Promise<void> {
  const [fence, runId] = (await dialect.lockFence(session, writer.connectorId)) ?? []
  if (Number(fence ?? Number.NaN) !== writer.fence || runId !== writer.runId) throw new FencedError()
}

/** A transaction that ends with the check of the fencing token. */
export function fencedTransaction<Session extends TargetSession, T>(
  dialect: Pick<SqlDialect<Session>, 'begin' | 'commit' | 'lockFence'>,
  session: Session,
  writer: Writer,
  work: () => Promise<T>,
): Promise<T> {
  return transaction(dialect, session, async () => {
    const result = await work()
    await holdFence(dialect, session, writer)
    return result
  })
}

type StateSql = Pick<SqlDialect, 'systemTables' | 'stateColumns' | 'integer' | 'upsert'>

export async function readState(
  { systemTables, stateColumns, integer }: StateSql,
  session: TargetSession,
  { connectorId, stream }: StateKey,
): Promise<StoredState> {
  const { checkpoint, refresh, rows } = stateColumns
  const [row] = await session.rows(
    `SELECT ${checkpoint}, ${refresh}, ${integer(rows)}, finished_run, fresh_at, swept_at FROM ${systemTables.state} WHERE connector = ? AND stream = ?`,
    [connectorId, stream],
  )
  if (row === undefined) return emptyState
  const [storedCheckpoint, storedRefresh, count, finishedRun = null, freshAt, sweptAt] = row
  return {
    checkpoint: parseJson(storedCheckpoint),
    refresh: parseJson(storedRefresh),
    rows: count == null ? null : Number(count),
    finishedRun,
    freshAt: toIso(freshAt),
    sweptAt: toIso(sweptAt),
  }
}

/** Replaces the whole state. Belongs in the transaction of the rows that it describes. */
export async function writeState(
  dialect: StateSql,
  session: TargetSession,
  { writer, stream, state, additional = {} }: StateChange,
): Promise<void> {
  const { checkpoint, refresh, rows, additional: others } = dialect.stateColumns
  await dialect.upsert(session, {
    table: dialect.systemTables.state,
    key: { connector: writer.connectorId, stream },
    values: {
      fence: writer.fence,
      [checkpoint]: toJson(state.checkpoint),
      [refresh]: toJson(state.refresh),
      [rows]: state.rows,
      finished_run: state.finishedRun,
      fresh_at: state.freshAt,
      swept_at: state.sweptAt,
      ...Object.fromEntries(others.map((column) => [column, additional[column] ?? null])),
    },
    touched: 'updated_at',
  })
}

export interface StateChange {
  readonly writer: Writer
  readonly stream: string
  readonly state: StoredState
  readonly additional?: SqlRecord
}

/** Makes the next run read the stream from its beginning: its table is new, has another key or a new column. */
export async function forgetState({ dialect, session, writer }: WriterSession, stream: string): Promise<void> {
  const { checkpoint } = await readState(dialect, session, { connectorId: writer.connectorId, stream })
  const columns = dialect.stateColumns
  const forgotten = [columns.refresh, columns.rows, 'finished_run', 'fresh_at', 'swept_at', ...columns.additional]
  await session.run(
    `UPDATE ${dialect.systemTables.state} SET ${columns.checkpoint} = ?, ${forgotten.map((name) => `${name} = NULL`).join(', ')} WHERE connector = ? AND stream = ?`,
    [toJson(keepOriginOnly(checkpoint)), writer.connectorId, stream],
  )
}

function parseJson<T>(text: string | null | undefined): T | null {
  return text == null ? null : (JSON.parse(text) as T)
}

export function toJson(value: Checkpoint | object | null): string | null {
  return value === null ? null : JSON.stringify(value)
}

function toIso(moment: string | null | undefined): string | null {
  return moment == null ? null : new Date(moment).toISOString()
}
