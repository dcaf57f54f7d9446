/** The calls that the past runs of a trial made to their source, in proportion to the rows that they read. */
import type { ConnectorLocation } from '../connections/connectors/connector-settings.ts'
import { addDailyCalls, PendingCalls } from '../connections/rate-budgets/daily-calls.ts'
import type { Db } from '../kernel/store/store.ts'
import type { PastRun } from './history.ts'

/** A call for a page of a list, or for a few documents. */
const rowsPerCall = 4
const bytesPerRow = 420
const callsOfRun = 3

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
  const days = Map.groupBy(past, ({ queuedAt }) => queuedAt.toISOString().slice(0, 10))
  const last = past.at(-1)
  const today = new Date().toISOString().slice(0, 10)
  for (const [day, runs] of days) if (day < today) await insertDay(db, { ...connector, limitKey, day }, runs)
  const names = last?.streams.map(({ name }) => name) ?? []
  const share = Math.floor(callsToday / (names.length + 1))
  const rest = callsToday - share * names.length
  await addDailyCalls(db, connector, [
    { limitKey, stream: null, calls: rest, bytes: rest * bytesPerRow },
    ...names.map((stream) => ({ limitKey, stream, calls: share, bytes: share * rowsPerCall * bytesPerRow })),
  ])
}

interface TrialDay extends ConnectorLocation {
  readonly limitKey: string
  readonly day: string
}

async function insertDay(db: Db, { limitKey, ...day }: TrialDay, runs: readonly PastRun[]): Promise<void> {
  const counts = new PendingCalls()
  for (const { streams } of runs) {
    counts.add({ limitKey, stream: null, calls: callsOfRun, bytes: callsOfRun * bytesPerRow })
    for (const { name, rowsRead } of streams)
      counts.add({
        limitKey,
        stream: name,
        calls: 1 + Math.ceil(rowsRead / rowsPerCall),
        bytes: rowsRead * bytesPerRow,
      })
  }
  await db
    .insertInto('dailyCalls')
    .values(counts.take().map(({ stream, ...count }) => ({ ...day, ...count, stream: stream ?? '' })))
    .execute()
}
