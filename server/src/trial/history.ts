/** Generates sixty days of past runs for a connector: most completed, some failed, cancelled or replaced. */
import { createRandom, type Random } from '@tributary/sims/random'
import type { RejectedRowRecord } from '@tributary/engine/ports/target'
import { pastFaults, refusedFault, type PastFault } from './past-faults.ts'

export interface PastRun {
  readonly mode: 'incremental' | 'full'
  readonly trigger: 'person' | 'schedule'
  readonly triggeredBy: string | null
  readonly status: 'COMPLETED' | 'FAILED' | 'CANCELLED' | 'WAITING'
  readonly queuedAt: Date
  /** Null for a waiting run. */
  readonly completedAt: Date | null
  readonly retryAt?: Date
  readonly fault: PastFault | null
  readonly streams: readonly PastStream[]
  readonly line: { readonly level: 'info' | 'warn' | 'error'; readonly text: string }
  readonly rejected: readonly RejectedRowRecord[]
  readonly addedColumn?: AddedColumn
  readonly tieOut?: TrialTieOut
}

export interface TrialTieOut {
  readonly state: 'green' | 'amber' | 'red'
  readonly notice: string | null
  readonly company: string
  readonly currency: string | null
  readonly accounts: number
  readonly differing: number
  /** The corrected months, each as its first day. */
  readonly mended: readonly string[]
}

export type RowCount = 'rowsRead' | 'rowsWritten' | 'rowsUpdated' | 'rowsDeleted' | 'rowsRejected'

interface PastStream extends Readonly<Record<RowCount, number>> {
  readonly name: string
  readonly tableName: string
  readonly phase: 'waiting' | 'reading' | 'done' | 'failed' | 'cancelled'
  /** Total rows of the table. */
  readonly rows: number
  readonly notice: string | null
}

/** The typical size of a stream: its total rows, and how many of them change between two runs. */
interface StreamProfile extends Pick<PastStream, 'name' | 'rows' | 'tableName'> {
  readonly changes: number
}

export interface RunProfile {
  readonly seed: number
  readonly streams: readonly StreamProfile[]
  /** The hours of the day, in UTC, at which the schedule fires. */
  readonly hours: readonly number[]
  readonly people: readonly string[]
  /** The typical duration of a run. */
  readonly seconds: number
  readonly reject?: RejectedRowRecord
  /** A column that was added to a table of the source during the sixty days. */
  readonly addedColumn?: AddedColumn
}

interface AddedColumn {
  readonly stream: string
  readonly tableName: string
  readonly columnName: string
  /** Its type. */
  readonly after: string
}

const days = 60
const dayMs = 86_400_000

/** @param until all runs lie before this time. @param stopsDaysAgo the age in days of the last day with runs. */
export function createPastRuns(habit: RunProfile, until: Date, stopsDaysAgo = 0): PastRun[] {
  const random = createRandom(habit.seed)
  const midnight = Math.floor(until.getTime() / dayMs) * dayMs
  const moments: Date[] = []
  for (let day = days; day >= stopsDaysAgo; day -= 1) {
    for (const hour of habit.hours) moments.push(new Date(midnight - day * dayMs + hour * 3_600_000))
  }
  const past = moments.filter((moment) => moment.getTime() < until.getTime() - 3_600_000)
  let failures = 0
  const runs = past.map((moment, index) => {
    const isFirst = index === 0
    const chance = isFirst ? 1 : random.next()
    const start = startAt(random, habit, moment, isFirst)
    if (chance < 0.03) return failedRun(random, habit, start, nthFault(failures++))
    if (chance < 0.04) return replacedRun(habit, start)
    return completedRun(random, habit, start)
  })
  return habit.addedColumn === undefined ? runs : withAddedColumn(runs, habit.addedColumn)
}

/** Adds the column in the first completed run after two thirds of the history. */
function withAddedColumn(runs: readonly PastRun[], column: AddedColumn): PastRun[] {
  const at = runs.findIndex(({ status }, index) => index >= (runs.length * 2) / 3 && status === 'COMPLETED')
  return runs.map((run, index) => (index === at ? { ...run, addedColumn: column } : run))
}

/** Cycles through the faults, so that each kind occurs. */
function nthFault(count: number): PastFault {
  return pastFaults[count % pastFaults.length] ?? refusedFault
}

function startAt(random: Random, habit: RunProfile, moment: Date, isFirst: boolean): PastRunStart {
  const isManual = isFirst || random.next() < 0.06
  return {
    mode: isFirst ? 'full' : 'incremental',
    trigger: isManual ? 'person' : 'schedule',
    queuedAt: isManual ? new Date(moment.getTime() + random.between(60, 3_000) * 1_000) : moment,
    triggeredBy: isManual ? random.pick(habit.people) : null,
  }
}

type PastRunStart = Pick<PastRun, 'mode' | 'trigger' | 'triggeredBy' | 'queuedAt'>

function completedRun(random: Random, habit: RunProfile, start: PastRunStart): PastRun {
  const isFirst = start.mode === 'full'
  const hasReject = habit.reject !== undefined && random.next() < 0.08
  const streams = habit.streams.map((stream, index) => {
    const changed = isFirst ? stream.rows : random.between(0, stream.changes * 2)
    return {
      ...streamProgress(stream, changed),
      rowsWritten: changed,
      rowsUpdated: isFirst ? 0 : Math.floor(changed * 0.4),
      rowsDeleted: isFirst ? 0 : Math.floor(changed / 40),
      rowsRejected: hasReject && index === 0 ? 1 : 0,
    }
  })
  const seconds = isFirst ? habit.seconds * 12 : Math.max(2, Math.round(habit.seconds * (0.6 + random.next())))
  const written = streams.reduce((sum, stream) => sum + stream.rowsWritten, 0)
  const deleted = streams.reduce((sum, stream) => sum + stream.rowsDeleted, 0)
  return {
    ...start,
    status: 'COMPLETED',
    completedAt: new Date(start.queuedAt.getTime() + seconds * 1_000),
    fault: null,
    streams,
    line: { level: 'info', text: `Completed: ${written.toLocaleString('en-GB')} rows written, ${deleted} deleted.` },
    rejected: hasReject && habit.reject !== undefined ? [habit.reject] : [],
  }
}

function failedRun(random: Random, habit: RunProfile, start: PastRunStart, fault: PastFault): PastRun {
  const { notice } = fault
  const seconds = fault.kind === 'passing' ? random.between(180, 420) : random.between(3, 12)
  const reached = fault.affects === 'everything' ? -1 : random.between(0, habit.streams.length - 1)
  return {
    ...start,
    status: 'FAILED',
    completedAt: new Date(start.queuedAt.getTime() + seconds * 1_000),
    fault,
    streams: habit.streams.slice(0, reached + 1).map((stream, index) => ({
      ...streamProgress(stream, 0, index === reached ? 'failed' : 'done'),
      notice: index === reached ? notice : null,
    })),
    line: { level: 'error', text: notice },
    rejected: [],
  }
}

/** A run that took longer than half an hour and was replaced by a new run. */
function replacedRun(habit: RunProfile, start: PastRunStart): PastRun {
  const notice = 'It took longer than expected and was replaced by a new run.'
  return {
    ...start,
    status: 'CANCELLED',
    completedAt: new Date(start.queuedAt.getTime() + 47 * 60_000),
    fault: { kind: null, code: null, notice, affects: 'everything' },
    streams: habit.streams
      .slice(0, 1)
      .map((stream) => streamProgress(stream, Math.floor(stream.rows / 3), 'cancelled')),
    line: { level: 'warn', text: notice },
    rejected: [],
  }
}

/** A run that the source refused because its password was changed. */
export function refusedRun(at: Date): PastRun {
  return {
    mode: 'incremental',
    trigger: 'schedule',
    triggeredBy: null,
    status: 'FAILED',
    queuedAt: at,
    completedAt: new Date(at.getTime() + 4_000),
    fault: refusedFault,
    streams: [],
    line: { level: 'error', text: refusedFault.notice },
    rejected: [],
  }
}

/** A run that a user started two hours ago, and that waits because the source limits its calls. */
export function waitingRun(habit: RunProfile, now: Date, fault: PastFault): PastRun {
  const half = Math.floor(habit.streams.length / 2)
  return {
    mode: 'full',
    trigger: 'person',
    triggeredBy: habit.people[0] ?? null,
    status: 'WAITING',
    queuedAt: new Date(now.getTime() - 2 * 3_600_000),
    completedAt: null,
    retryAt: new Date(now.getTime() + 9 * 3_600_000),
    fault,
    streams: habit.streams.map((stream, index) => {
      const phase = index < half ? 'done' : index === half ? 'reading' : 'waiting'
      const read = index < half ? stream.rows : index === half ? Math.floor(stream.rows / 3) : 0
      return { ...streamProgress(stream, read, phase), rowsWritten: read }
    }),
    line: { level: 'error', text: fault.notice },
    rejected: [],
  }
}

function streamProgress(
  { name, tableName, rows }: StreamProfile,
  rowsRead: number,
  phase: PastStream['phase'] = 'done',
): PastStream {
  const counts = { rowsRead, rowsWritten: 0, rowsUpdated: 0, rowsDeleted: 0, rowsRejected: 0 }
  return { name, tableName, phase, rows, ...counts, notice: null }
}
