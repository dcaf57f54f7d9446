/** The calls that the past runs of a trial made to their source, in proportion to the rows that they read. */
import type { ConnectorLocation } from '../connections/connectors/connector-settings.ts'
import { addDailyCalls, PendingCalls } from '../connections/rate-budgets/daily-calls.ts'
import type { Db } from '../kernel/store/store.ts'
import type { PastRun } from './history.ts'

const bytesPerCall = 1_700
/** Of one table in a day, on the day of the first load. */
const callsMax = 900

interface TrialCalls {
  /** All connectors of a type have the credentials of its simulator. */
  readonly type: string
  readonly past: readonly PastRun[]
  /** Replaces those of the runs of today. */
  readonly callsToday: number
}

export async function insertCalls(
  db: Db,
  connector: ConnectorLocation,
  { type, past, callsToday }: TrialCalls,
): Promise<void> {
  const limitKey = `trial ${type}`
  const today = new Date().toISOString().slice(0, 10)
  const days = Map.groupBy(past, ({ queuedAt }) => queuedAt.toISOString().slice(0, 10))
  const rows = [...days.values()].map(countRows).toSorted((one, other) => one - other)
  const callsPerRow = callsToday / Math.max(1, rows[Math.floor(rows.length / 2)] ?? 1)
  for (const [day, runs] of days)
    if (day < today) await insertDay(db, { ...connector, limitKey, day }, { runs, callsPerRow })
  const names = past.at(-1)?.streams.map(({ name }) => name) ?? []
  const share = Math.floor(callsToday / (names.length + 1))
  const rest = callsToday - share * names.length
  await addDailyCalls(
    db,
    connector,
    [{ stream: null, calls: rest }, ...names.map((stream) => ({ stream, calls: share }))].map((count) => ({
      ...count,
      limitKey,
      bytes: count.calls * bytesPerCall,
    })),
  )
}

function countRows(runs: readonly PastRun[]): number {
  return runs.flatMap(({ streams }) => streams).reduce((sum, { rowsRead }) => sum + rowsRead, 0)
}

interface TrialDay extends ConnectorLocation {
  readonly limitKey: string
  readonly day: string
}

interface RunsOfDay {
  readonly runs: readonly PastRun[]
  readonly callsPerRow: number
}

async function insertDay(db: Db, { limitKey, ...day }: TrialDay, { runs, callsPerRow }: RunsOfDay): Promise<void> {
  const counts = new PendingCalls()
  const count = (stream: string | null, calls: number) =>
    counts.add({ limitKey, stream, calls, bytes: calls * bytesPerCall })
  for (const { streams } of runs) {
    count(null, 1 + streams.length)
    for (const { name, rowsRead } of streams) count(name, 1 + Math.min(callsMax, Math.ceil(rowsRead * callsPerRow)))
  }
  await db
    .insertInto('dailyCalls')
    .values(counts.take().map(({ stream, ...each }) => ({ ...day, ...each, stream: stream ?? '' })))
    .execute()
}
