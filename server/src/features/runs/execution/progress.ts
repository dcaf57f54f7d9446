/**
 * Writes a sync's progress to the store, at most twice a second. A failed write never fails the run: it is retried
 * with the next one.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { StreamProgress } from '@tributary/engine/sync/progress'
import { sql } from 'kysely'
import { excluded } from '../../../kernel/store/excluded.ts'
import type { Db, Store } from '../../../kernel/store/store.ts'
import { rowCounts } from '../queries.ts'
import type { RunClaim } from '../claiming/claim-run.ts'
import { addDailyCalls, type CallCount, PendingCalls } from '../../../connections/rate-budgets/daily-calls.ts'
import { type DetectedChanges, storeSchemaChanges } from './store-schema-changes.ts'

type RunLogLevel = 'info' | 'warn' | 'error'

export interface ProgressReport extends AsyncDisposable {
  report(progress: StreamProgress): void
  log(text: string, level?: RunLogLevel): void
  /** Counts a call to the source, or the bytes of its reply. */
  countCalls(count: CallCount): void
  found(stream: DetectedChanges['stream'], changes: DetectedChanges['changes'], status: DetectedChanges['status']): void
  /** Writes pending progress. Resolves after the write, even if it failed. */
  flush(): Promise<void>
}

export interface ProgressOptions {
  readonly store: Store
  readonly claim: RunClaim
  readonly onError: (error: unknown) => void
  readonly everyMs?: number
  /** How long the last write is retried while the store is unreachable or full. */
  readonly lastMs?: number
  /** Ends these retries, because they would use up the grace period of a shutdown. */
  readonly stopSignal: AbortSignal
}

interface LoggedLine {
  readonly at: string
  readonly level: RunLogLevel
  readonly text: string
}

/** Limits what a verbose source can store. */
const linesMax = 2_000
const lineLengthMax = 2_000

export function openProgress({
  store,
  claim,
  onError,
  everyMs = 500,
  lastMs = 10_000,
  stopSignal,
}: ProgressOptions): ProgressReport {
  const pending = createPendingProgress()
  let previous: PreviousCounts | undefined
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
        previous ??= await readPreviousCounts(db, claim)
        await writeBatch(db, claim, {
          ...taken,
          streams: taken.streams.map((stream) => addPreviousCounts(stream, previous?.get(stream.progress.stream))),
        })
      })
    } catch (error) {
      pending.putBack(taken)
      throw error
    }
  }

  return {
    report: pending.report,
    log: pending.log,
    countCalls: pending.countCalls,
    found: pending.found,
    flush,
    async [Symbol.asyncDispose]() {
      clearInterval(timer)
      const until = performance.now() + lastMs
      await flush()
      while (!pending.isEmpty() && performance.now() < until && !stopSignal.aborted) {
        await sleep(everyMs)
        await flush()
      }
    },
  }
}

interface TakenProgress {
  readonly streams: readonly ReportedStream[]
  readonly lines: LoggedLine[]
  readonly hasAdvanced: boolean
  readonly found: DetectedChanges[]
  readonly calls: readonly CallCount[]
}

interface PendingProgress extends Pick<ProgressReport, 'report' | 'log' | 'found' | 'countCalls'> {
  isEmpty(): boolean
  /** Removes and returns everything that is pending. */
  take(): TakenProgress
  /** Queues progress whose write failed before anything reported since. */
  putBack(taken: TakenProgress): void
}

/** Buffers reported progress until it is stored. */
function createPendingProgress(): PendingProgress {
  const streams = new Map<string, ReportedStream>()
  const changed = new Set<string>()
  let hasAdvanced = false
  let lines: LoggedLine[] = []
  let logged = 0
  let found: DetectedChanges[] = []
  const calls = new PendingCalls()
  return {
    report(progress) {
      const ordinal = streams.get(progress.stream)?.ordinal ?? streams.size
      streams.set(progress.stream, { progress, ordinal })
      changed.add(progress.stream)
      hasAdvanced ||= progress.hasAdvanced
    },
    log(text, level = 'info') {
      logged += 1
      if (logged > linesMax) return
      lines.push({ at: new Date().toISOString(), level, text: text.slice(0, lineLengthMax) })
    },
    found(stream, changes, status) {
      found.push({ stream, changes, status })
    },
    countCalls: (count) => calls.add(count),
    isEmpty: () => changed.size === 0 && lines.length === 0 && found.length === 0 && calls.isEmpty,
    take() {
      const reported = [...changed].flatMap((name) => streams.get(name) ?? [])
      const taken = { streams: reported, lines, hasAdvanced, found, calls: calls.take() }
      changed.clear()
      lines = []
      found = []
      return taken
    },
    putBack(taken) {
      for (const { progress } of taken.streams) changed.add(progress.stream)
      lines = [...taken.lines, ...lines]
      found = [...taken.found, ...found]
      for (const count of taken.calls) calls.add(count)
    },
  }
}

type RowCounts = Record<(typeof rowCounts)[number], number>

function mapRowCounts<Value>(valueOf: (column: keyof RowCounts) => Value): Record<keyof RowCounts, Value> {
  return Object.fromEntries(rowCounts.map((column) => [column, valueOf(column)])) as Record<keyof RowCounts, Value>
}

/** Row counts of earlier attempts of the same run, by stream; each sync counts from zero. */
type PreviousCounts = ReadonlyMap<string, RowCounts>

async function readPreviousCounts(db: Db, { organisationId, runId }: RunClaim): Promise<PreviousCounts> {
  const rows = await db
    .selectFrom('runStream')
    .select(['name', ...rowCounts])
    .where('organisationId', '=', organisationId)
    .where('runId', '=', runId)
    .execute()
  return new Map(rows.map((row) => [row.name, row]))
}

interface ReportedStream {
  readonly progress: StreamProgress
  readonly ordinal: number
}

function addPreviousCounts({ progress, ordinal }: ReportedStream, previous: RowCounts | undefined) {
  return {
    ordinal,
    name: progress.stream,
    tableName: progress.table,
    phase: progress.phase,
    rowsEstimate: progress.rowsEstimate,
    notice: progress.notice ?? null,
    ...mapRowCounts((column) => progress[column] + (previous?.[column] ?? 0)),
  }
}

type RunStreamUpsert = ReturnType<typeof addPreviousCounts>

interface ProgressWrite extends Omit<TakenProgress, 'streams'> {
  readonly streams: readonly RunStreamUpsert[]
}

async function writeBatch(
  db: Db,
  claim: RunClaim,
  { streams, lines, hasAdvanced, found, calls }: ProgressWrite,
): Promise<void> {
  const { organisationId, runId } = claim
  // Before the lease is checked: the source has counted the calls of a worker that lost it, too.
  await addDailyCalls(db, claim, calls)
  if (!(await holdsLease(db, claim))) return
  if (lines.length > 0) {
    await db
      .insertInto('runLine')
      .values(lines.map((line) => ({ ...line, organisationId, runId })))
      .execute()
  }
  await storeSchemaChanges(db, claim, found)
  if (streams.length === 0) return
  await upsertRunStreams(db, claim, streams)
  await updateTotals(db, claim, hasAdvanced)
}

/** A worker that has lost its lease must not overwrite the progress of the next one. */
async function holdsLease(db: Db, { organisationId, runId, fence }: RunClaim): Promise<boolean> {
  const held = await db
    .selectFrom('run')
    .select('id')
    .where('organisationId', '=', organisationId)
    .where('id', '=', runId)
    .where('fence', '=', fence)
    .executeTakeFirst()
  return held !== undefined
}

async function upsertRunStreams(
  db: Db,
  { organisationId, runId }: RunClaim,
  streams: readonly RunStreamUpsert[],
): Promise<void> {
  await db
    .insertInto('runStream')
    .values(streams.map((stream) => ({ ...stream, organisationId, runId })))
    .onConflict((conflict) =>
      conflict.columns(['runId', 'name']).doUpdateSet(excluded(['phase', ...rowCounts, 'rowsEstimate', 'notice'])),
    )
    .execute()
}

/** An attempt that leaves less to do for the next one has made progress, so it resets the number of attempts. */
async function updateTotals(db: Db, { organisationId, runId, fence }: RunClaim, hasAdvanced: boolean): Promise<void> {
  const total = (column: keyof RowCounts) =>
    sql<number>`(SELECT coalesce(sum(${sql.ref(column)}), 0) FROM runStream WHERE runId = ${runId})`
  await db
    .updateTable('run')
    .set({
      ...mapRowCounts(total),
      ...(hasAdvanced ? { attempt: 1 } : {}),
    })
    .where('organisationId', '=', organisationId)
    .where('id', '=', runId)
    .where('fence', '=', fence)
    .execute()
}
