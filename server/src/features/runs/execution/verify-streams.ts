/** Verifies tables in a separate run, or in a slice after the rows of a sync are committed. */
import type { OpenSource } from '@tributary/engine/ports/source'
import { FencedError, type OpenTarget } from '@tributary/engine/ports/target'
import type { StreamVerification } from '@tributary/engine/ports/verification'
import { asFault } from '@tributary/engine/ports/faults'
import type { StreamOutcome, SyncOutcome } from '@tributary/engine/sync/sync-request'
import { verify } from '@tributary/engine/verify/verify'
import { sql } from 'kysely'
import type { AppServices } from '../../../app-services.ts'
import type { Db } from '../../../kernel/store/store.ts'
import { markVerifying, type RunClaim } from '../claiming/claim-run.ts'
import { describeVerification } from './describe-verification.ts'
import { type PendingByStream, readPendingDifferences } from './pending-differences.ts'
import type { ProgressReport } from './progress.ts'
import { readRejectedKeys, type RejectedKeys } from './rejected-keys.ts'
import { storeVerification } from './store-verification.ts'
import type { VerificationCalls } from './verification-calls.ts'
import { listDueStreams, listPlannedStreams, type PlannedStream } from './verification-plan.ts'

type VerifyServices = Pick<AppServices, 'clock' | 'metrics' | 'store'>

export interface VerificationSides {
  readonly services: VerifyServices
  readonly claim: RunClaim
  readonly progress: ProgressReport
  readonly signal: AbortSignal
  readonly source: OpenSource
  readonly target: OpenTarget
  readonly beginCalls: VerificationCalls['begin']
}

export interface SliceSides extends VerificationSides {
  /** Aborts when a newer run of the connector waits for the end of the slice. */
  readonly awaited: AbortSignal
  /** Aborts `signal`, which calls to source and target have, too. */
  readonly stop: () => void
}

const noKeys: ReadonlySet<string> = new Set()

/** A slice that compares so many rows ends, whatever time is left. */
const sliceRowsMax = 50_000_000
/** A verification that begins right before the next run still gets this far. */
const shortestMs = 30_000

/** A run of mode `verify` or `repair`. */
export async function runVerification(sides: VerificationSides): Promise<SyncOutcome> {
  const { services, claim, progress } = sides
  const { streams, msUntilNextRun, ...known } = await services.store.within(claim.organisationId, async (db) => ({
    streams: await listPlannedStreams(db, claim),
    msUntilNextRun: await readMsUntilNextRun(db, claim),
    rejected: await readRejectedKeys(db, claim),
    pending: await readPendingDifferences(db, claim),
  }))
  const selected = streams.filter(({ stream }) => claim.onlyStreams === null || claim.onlyStreams.includes(stream))
  // A person expects a whole verification; the schedule continues what a budget has cut.
  const planned = claim.trigger === 'person' ? selected.map((one) => ({ ...one, cursor: null })) : selected
  if (planned.length === 0) progress.log('There is no table to verify. A table is verified after a run has read it.')
  else {
    const budgetMs = msUntilNextRun === null ? null : Math.max(shortestMs, msUntilNextRun)
    await verifyPlanned(sides, { planned, budgetMs, ...known })
  }
  return {
    status: 'completed',
    fault: null,
    streams: [],
    removedStreams: [],
    tieOut: null,
    closedPeriods: null,
    marks: [],
    offer: null,
  }
}

/**
 * Verifies the tables that are due, within the budget of the connector, and ends for a newer run. Never throws: the rows of the run are
 * committed, and a failed verification must not make it fail.
 */
export async function verifySlice(sides: SliceSides, outcome: SyncOutcome): Promise<void> {
  const { services, claim, progress, signal, source, target, awaited, stop } = sides
  if (signal.aborted || awaited.aborted || !mayVerifyAfter(outcome, target)) return
  awaited.addEventListener('abort', stop, { once: true })
  try {
    const { due, seconds, ...known } = await services.store.within(claim.organisationId, async (db) => ({
      due: await listDueAfterRun(db, claim, outcome.streams),
      seconds: await readBudgetSeconds(db, claim),
      rejected: await readRejectedKeys(db, claim, outcome.streams),
      pending: await readPendingDifferences(db, claim),
    }))
    const planned = source.verifiedTable === undefined ? due.filter(isWorthCalls) : due
    if (planned.length === 0 || seconds === 0) return
    if (!(await services.store.within(claim.organisationId, (db) => markVerifying(db, claim)))) return
    await verifyPlanned(sides, { planned, budgetMs: seconds * 1_000, ...known })
  } catch (error) {
    if (awaited.aborted) return progress.log('The verification ended for a newer run, and continues after it.')
    const reason = error instanceof FencedError ? 'A newer run has begun.' : asFault(error).notice
    if (!signal.aborted) progress.log(`The tables could not be verified. The rows are committed. ${reason}`, 'warn')
  }
}

/** Documents of an API cost calls, so after a run only tables without a verdict are sampled, and those that it had to decide about. */
function isWorthCalls({ isFirst, isUndecided }: PlannedStream): boolean {
  return isFirst || isUndecided
}

/** A source that limits calls, refuses the sign-in or is unreachable must not be called again at once. */
function mayVerifyAfter({ status, fault }: SyncOutcome, { facts }: OpenTarget): boolean {
  // Checksums need SQL in the target.
  if (facts.storesTablesOnly) return false
  if (status === 'completed') return true
  return status === 'failed' && fault !== null && ['settings', 'data'].includes(fault.kind)
}

/** The store has the state of the streams only after the run has ended, so a table of a first run is not in it. */
async function listDueAfterRun(
  db: Db,
  claim: RunClaim,
  outcomes: readonly StreamOutcome[],
): Promise<readonly PlannedStream[]> {
  const done = outcomes.filter(({ progress }) => progress.phase === 'done')
  const known = new Set((await listPlannedStreams(db, claim)).map(({ stream }) => stream))
  const isDone = ({ stream }: PlannedStream) => done.some((one) => one.stream.name === stream)
  const first = done
    .filter(({ stream }) => !known.has(stream.name))
    .map(({ stream, progress }) => ({
      stream: stream.name,
      table: progress.table,
      cursor: null,
      isFirst: true,
      isUndecided: false,
    }))
  return [...first, ...(await listDueStreams(db, claim)).filter(isDone)]
}

interface VerificationPlan {
  readonly planned: readonly PlannedStream[]
  /** Null: until everything is verified. */
  readonly budgetMs: number | null
  readonly rejected: RejectedKeys
  readonly pending: PendingByStream
}

async function verifyPlanned(
  { services, claim, progress, signal, source, target, beginCalls }: VerificationSides,
  { planned, budgetMs, rejected, pending }: VerificationPlan,
): Promise<void> {
  const { connectorId, runId, fence, organisationId, mode, type } = claim
  const cursors = new Map(planned.flatMap(({ stream, cursor }) => (cursor === null ? [] : [[stream, cursor] as const])))
  const isOwnRun = mode === 'verify' || mode === 'repair'
  const callsLeft = beginCalls(isOwnRun ? null : budgetMs)
  if (callsLeft() <= 0)
    return progress.log(
      'Half of the calls that the source allows in a day are used, so no documents are read again today.',
    )
  for (const one of planned) if (isOwnRun) progress.report(toProgress(one, 'verifying', null))
  let storing: Promise<unknown> = Promise.resolve()
  const report = (verification: StreamVerification): void => {
    const { stream, table, outcome, rows } = verification
    const text = describeVerification(verification)
    progress.log(`${stream}: ${text}`, outcome === 'different' || outcome === 'failed' ? 'warn' : 'info')
    if (isOwnRun)
      progress.report(toProgress({ stream, table }, outcome === 'failed' ? 'failed' : 'done', { rows, text }))
    services.metrics.recordVerification({ type, outcome, rows })
    const store = (db: Db) => storeVerification(db, claim, verification, cursors.has(stream))
    storing = storing.then(() => services.store.within(organisationId, store))
    // The caller awaits it at the end; until then a failure must not be unhandled.
    storing.catch(() => undefined)
  }
  try {
    await verify({
      source,
      target,
      writer: { connectorId, runId, fence },
      streams: planned.map(({ stream }) => stream),
      cursors,
      ...(budgetMs !== null && {
        budget: { rows: isOwnRun ? Number.MAX_SAFE_INTEGER : sliceRowsMax, ms: budgetMs },
      }),
      repair: mode === 'repair',
      rejectedKeys: (table) => rejected.get(table) ?? noKeys,
      pendingBefore: (stream) => pending.get(stream),
      callsLeft,
      report,
      log: (line) => progress.log(line),
      clock: services.clock,
      signal,
    })
  } finally {
    await storing
  }
}

function toProgress(
  { stream, table }: Pick<PlannedStream, 'stream' | 'table'>,
  phase: 'verifying' | 'done' | 'failed',
  result: { readonly rows: number; readonly text: string } | null,
) {
  return {
    stream,
    table,
    phase,
    rowsRead: result?.rows ?? 0,
    rowsWritten: 0,
    rowsUpdated: 0,
    rowsDeleted: 0,
    rowsRejected: 0,
    rowsEstimate: null,
    hasAdvanced: false,
    notice: result?.text ?? null,
  }
}

async function readBudgetSeconds(db: Db, { organisationId, connectorId }: RunClaim): Promise<number> {
  const { verifySeconds } = await db
    .selectFrom('connector')
    .select('verifySeconds')
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .executeTakeFirstOrThrow()
  return verifySeconds
}

/** By the clock of the store; null without a schedule. */
async function readMsUntilNextRun(db: Db, { organisationId, connectorId }: RunClaim): Promise<number | null> {
  const { ms } = await db
    .selectFrom('connector')
    .select(sql<number | null>`(extract(epoch FROM nextRunAt - now()) * 1000)::int8`.as('ms'))
    .where('organisationId', '=', organisationId)
    .where('id', '=', connectorId)
    .executeTakeFirstOrThrow()
  return ms
}
