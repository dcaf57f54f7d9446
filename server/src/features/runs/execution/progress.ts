/** Carries what a sync says of itself into the store, at most twice a second. It never makes a run fail, and what could not be stored is told again. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { StreamPhase, StreamProgress } from '@tributary/engine/sync/progress'
import { sql } from 'kysely'
import type { Db, Store } from '../../../kernel/store/store.ts'
import type { Claim } from './claim-run.ts'
import { type FoundChanges, keepChanges } from './store-schema-changes.ts'

type Level = 'info' | 'warn' | 'error'

export interface ProgressReport extends AsyncDisposable {
  report(progress: StreamProgress): void
  line(text: string, level?: Level): void
  found(stream: FoundChanges['stream'], changes: FoundChanges['changes'], status: FoundChanges['status']): void
  /** Writes what is still unwritten; answers once it is stored or has failed to be. */
  flush(): Promise<void>
}

export interface ProgressOptions {
  readonly store: Store
  readonly claim: Claim
  readonly onError: (error: unknown) => void
  readonly everyMs?: number
  /** For how long the last write is tried where the store cannot be reached. */
  readonly lastMs?: number
}

interface Line {
  readonly at: string
  readonly level: Level
  readonly text: string
}

/** A chatty source must not fill the store. */
const linesMax = 2_000
const lineLengthMax = 2_000

export function openProgress({
  store,
  claim,
  onError,
  everyMs = 500,
  lastMs = 10_000,
}: ProgressOptions): ProgressReport {
  const pending = createPendingProgress()
  let before: Before | undefined
  let writing = Promise.resolve()
  const timer = setInterval(() => void flush(), everyMs)

  function flush(): Promise<void> {
    writing = writing.then(write).catch(onError)
    return writing
  }

  async function write(): Promise<void> {
    if (pending.isEmpty()) return
    const taken = pending.take()
    try {
      await store.within(claim.organisationId, async (db) => {
        before ??= await readBefore(db, claim)
        await writeBatch(db, claim, {
          ...taken,
          streams: taken.streams.map((told) => sum(told, before?.get(told.progress.stream))),
        })
      })
    } catch (error) {
      pending.putBack(taken)
      throw error
    }
  }

  return {
    report: pending.report,
    line: pending.line,
    found: pending.found,
    flush,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      const until = performance.now() + lastMs
      await flush()
      while (!pending.isEmpty() && performance.now() < until) {
        await sleep(everyMs)
        await flush()
      }
    },
  }
}

interface TakenProgress {
  readonly streams: readonly Told[]
  readonly lines: Line[]
  readonly hasAdvanced: boolean
  readonly found: FoundChanges[]
}

interface PendingProgress extends Pick<ProgressReport, 'report' | 'line' | 'found'> {
  isEmpty(): boolean
  /** Empties it. */
  take(): TakenProgress
  /** What could not be stored comes before what was reported since. */
  putBack(taken: TakenProgress): void
}

/** What was reported and is not yet stored. */
function createPendingProgress(): PendingProgress {
  const streams = new Map<string, Told>()
  const changed = new Set<string>()
  let hasAdvanced = false
  let lines: Line[] = []
  let told = 0
  let found: FoundChanges[] = []
  return {
    report(progress) {
      const ordinal = streams.get(progress.stream)?.ordinal ?? streams.size
      streams.set(progress.stream, { progress, ordinal })
      changed.add(progress.stream)
      hasAdvanced ||= progress.hasAdvanced
    },
    line(text, level = 'info') {
      told += 1
      if (told > linesMax) return
      lines.push({ at: new Date().toISOString(), level, text: text.slice(0, lineLengthMax) })
    },
    found(stream, changes, status) {
      found.push({ stream, changes, status })
    },
    isEmpty: () => changed.size === 0 && lines.length === 0 && found.length === 0,
    take() {
      const taken = { streams: [...changed].flatMap((name) => streams.get(name) ?? []), lines, hasAdvanced, found }
      changed.clear()
      lines = []
      found = []
      return taken
    },
    putBack(taken) {
      for (const { progress } of taken.streams) changed.add(progress.stream)
      lines = [...taken.lines, ...lines]
      found = [...taken.found, ...found]
    },
  }
}

type Counts = Pick<StreamProgress, 'rowsRead' | 'rowsWritten' | 'rowsUpdated' | 'rowsDeleted' | 'rowsRejected'>
/** What earlier tries of the same run have done, by stream; a sync counts from zero each time. */
type Before = ReadonlyMap<string, Counts>

async function readBefore(db: Db, { organisationId, runId }: Claim): Promise<Before> {
  const rows = await db
    .selectFrom('runStream')
    .select(['name', 'rowsRead', 'rowsWritten', 'rowsUpdated', 'rowsDeleted', 'rowsRejected'])
    .where('organisationId', '=', organisationId)
    .where('runId', '=', runId)
    .execute()
  return new Map(rows.map((row) => [row.name, row]))
}

interface Told {
  readonly progress: StreamProgress
  readonly ordinal: number
}

interface StreamRow extends Counts {
  readonly name: string
  readonly tableName: string
  readonly phase: StreamPhase
  readonly rowsEstimate: number | null
  readonly ordinal: number
  readonly notice: string | null
}

function sum({ progress, ordinal }: Told, before: Counts | undefined): StreamRow {
  return {
    ordinal,
    name: progress.stream,
    tableName: progress.table,
    phase: progress.phase,
    rowsEstimate: progress.rowsEstimate,
    notice: null,
    rowsRead: progress.rowsRead + (before?.rowsRead ?? 0),
    rowsWritten: progress.rowsWritten + (before?.rowsWritten ?? 0),
    rowsUpdated: progress.rowsUpdated + (before?.rowsUpdated ?? 0),
    rowsDeleted: progress.rowsDeleted + (before?.rowsDeleted ?? 0),
    rowsRejected: progress.rowsRejected + (before?.rowsRejected ?? 0),
  }
}

interface Batch {
  readonly streams: readonly StreamRow[]
  readonly lines: readonly Line[]
  readonly hasAdvanced: boolean
  readonly found: readonly FoundChanges[]
}

async function writeBatch(db: Db, claim: Claim, { streams, lines, hasAdvanced, found }: Batch): Promise<void> {
  const { organisationId, runId } = claim
  if (!(await isHeld(db, claim))) return
  if (lines.length > 0) {
    await db
      .insertInto('runLine')
      .values(lines.map((line) => ({ ...line, organisationId, runId })))
      .execute()
  }
  await keepChanges(db, claim, found)
  if (streams.length === 0) return
  await upsertStreams(db, claim, streams)
  await updateTotals(db, claim, hasAdvanced)
}

/** A worker that has lost its run must not write over what the next one tells of it. */
async function isHeld(db: Db, { organisationId, runId, fence }: Claim): Promise<boolean> {
  const held = await db
    .selectFrom('run')
    .select('id')
    .where('organisationId', '=', organisationId)
    .where('id', '=', runId)
    .where('fence', '=', fence)
    .executeTakeFirst()
  return held !== undefined
}

async function upsertStreams(db: Db, { organisationId, runId }: Claim, streams: readonly StreamRow[]): Promise<void> {
  await db
    .insertInto('runStream')
    .values(streams.map((stream) => ({ ...stream, organisationId, runId })))
    .onConflict((conflict) =>
      conflict.columns(['runId', 'name']).doUpdateSet((row) => ({
        phase: row.ref('excluded.phase'),
        rowsRead: row.ref('excluded.rowsRead'),
        rowsWritten: row.ref('excluded.rowsWritten'),
        rowsUpdated: row.ref('excluded.rowsUpdated'),
        rowsDeleted: row.ref('excluded.rowsDeleted'),
        rowsRejected: row.ref('excluded.rowsRejected'),
        rowsEstimate: row.ref('excluded.rowsEstimate'),
        notice: row.ref('excluded.notice'),
      })),
    )
    .execute()
}

/** A try that leaves the next one less to do has proved that the run gets on, so the count of tries begins again. */
async function updateTotals(db: Db, { organisationId, runId, fence }: Claim, hasAdvanced: boolean): Promise<void> {
  const total = (column: string) =>
    sql<number>`(SELECT coalesce(sum(${sql.ref(column)}), 0) FROM runStream WHERE runId = ${runId})`
  await db
    .updateTable('run')
    .set({
      rowsRead: total('rowsRead'),
      rowsWritten: total('rowsWritten'),
      rowsUpdated: total('rowsUpdated'),
      rowsDeleted: total('rowsDeleted'),
      rowsRejected: total('rowsRejected'),
      ...(hasAdvanced ? { attempt: 1 } : {}),
    })
    .where('organisationId', '=', organisationId)
    .where('id', '=', runId)
    .where('fence', '=', fence)
    .execute()
}
