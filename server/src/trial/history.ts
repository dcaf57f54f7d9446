/** Sixty days of runs, as a connector would have left them: most completed, some failed, cancelled or replaced. */
import { seeded, type Random } from '@tributary/sims/random'
import type { RejectedRow } from '@tributary/engine/target'

export interface PastRun {
  readonly mode: 'incremental' | 'full'
  readonly trigger: 'person' | 'schedule'
  readonly triggeredBy: string | null
  readonly status: 'COMPLETED' | 'FAILED' | 'CANCELLED'
  readonly queuedAt: Date
  readonly completedAt: Date
  readonly fault: PastFault | null
  readonly streams: readonly PastStream[]
  readonly lines: readonly { readonly level: 'info' | 'warn' | 'error'; readonly text: string }[]
  readonly rejected: readonly RejectedRow[]
}

interface PastFault {
  readonly kind: 'signIn' | 'passing' | 'settings' | null
  readonly code: string | null
  readonly notice: string
}

export interface PastStream {
  readonly name: string
  readonly table: string
  readonly phase: 'done' | 'failed' | 'cancelled'
  readonly read: number
  readonly written: number
  readonly updated: number
  readonly deleted: number
  readonly rejected: number
}

/** How a stream of this source usually looks: its rows in all, and how many of them change between two runs. */
interface StreamHabit {
  readonly name: string
  readonly table: string
  readonly rows: number
  readonly changes: number
}

export interface Habit {
  readonly seed: number
  readonly streams: readonly StreamHabit[]
  /** Hours of the day at which the schedule fires. */
  readonly hours: readonly number[]
  readonly people: readonly string[]
  /** How long a usual run takes. */
  readonly seconds: number
  readonly reject?: RejectedRow
}

const days = 60
const dayMs = 86_400_000

/** @param until the moment before which all of it lies; @param from the day, counted back, on which it stops. */
export function pastRuns(habit: Habit, until: Date, stopsDaysAgo = 0): PastRun[] {
  const random = seeded(habit.seed)
  const midnight = Math.floor(until.getTime() / dayMs) * dayMs
  const moments: Date[] = []
  for (let day = days; day >= stopsDaysAgo; day -= 1) {
    for (const hour of habit.hours) moments.push(new Date(midnight - day * dayMs + hour * 3_600_000))
  }
  const past = moments.filter((moment) => moment.getTime() < until.getTime() - 3_600_000)
  return past.map((moment, index) => pastRun(random, habit, { moment, isFirst: index === 0 }))
}

function pastRun(random: Random, habit: Habit, { moment, isFirst }: { moment: Date; isFirst: boolean }): PastRun {
  const chance = isFirst ? 1 : random.next()
  const byHand = isFirst || random.next() < 0.06
  const queuedAt = byHand ? new Date(moment.getTime() + random.between(60, 3_000) * 1_000) : moment
  const start = {
    mode: isFirst ? ('full' as const) : ('incremental' as const),
    trigger: byHand ? ('person' as const) : ('schedule' as const),
    triggeredBy: byHand ? random.pick(habit.people) : null,
    queuedAt,
  }
  if (chance < 0.03) return failed(random, habit, start)
  if (chance < 0.04) return replaced(habit, start)
  return completed(random, habit, start, isFirst)
}

type Start = Pick<PastRun, 'mode' | 'trigger' | 'triggeredBy' | 'queuedAt'>

function completed(random: Random, habit: Habit, start: Start, isFirst: boolean): PastRun {
  const hasReject = habit.reject !== undefined && random.next() < 0.08
  const streams = habit.streams.map((stream, index) => {
    const changed = isFirst ? stream.rows : random.between(0, stream.changes * 2)
    const updated = isFirst ? 0 : Math.floor(changed * 0.4)
    const rejected = hasReject && index === 0 ? 1 : 0
    return { ...counted(stream, changed), written: changed, updated, deleted: isFirst ? 0 : Math.floor(changed / 40), rejected }
  })
  const seconds = isFirst ? habit.seconds * 12 : Math.max(2, Math.round(habit.seconds * (0.6 + random.next())))
  const written = streams.reduce((sum, stream) => sum + stream.written, 0)
  const deleted = streams.reduce((sum, stream) => sum + stream.deleted, 0)
  return {
    ...start,
    status: 'COMPLETED',
    completedAt: new Date(start.queuedAt.getTime() + seconds * 1_000),
    fault: null,
    streams,
    lines: [{ level: 'info', text: `Completed: ${written.toLocaleString('en-GB')} rows written, ${deleted} deleted.` }],
    rejected: hasReject && habit.reject !== undefined ? [habit.reject] : [],
  }
}

function failed(random: Random, habit: Habit, start: Start): PastRun {
  const notice = 'The source does not answer. Check that the server runs and that a firewall lets Tributary in.'
  const reached = random.between(0, habit.streams.length - 1)
  return {
    ...start,
    status: 'FAILED',
    completedAt: new Date(start.queuedAt.getTime() + random.between(180, 420) * 1_000),
    fault: { kind: 'passing', code: 'network.unreachable', notice },
    streams: habit.streams.slice(0, reached + 1).map((stream, index) => counted(stream, 0, index === reached ? 'failed' : 'done')),
    lines: [{ level: 'error', text: notice }],
    rejected: [],
  }
}

/** A run that took longer than half an hour, and that somebody started again. */
function replaced(habit: Habit, start: Start): PastRun {
  const notice = 'It took longer than expected and was replaced by a new run.'
  return {
    ...start,
    status: 'CANCELLED',
    completedAt: new Date(start.queuedAt.getTime() + 47 * 60_000),
    fault: { kind: null, code: null, notice },
    streams: habit.streams.slice(0, 1).map((stream) => counted(stream, Math.floor(stream.rows / 3), 'cancelled')),
    lines: [{ level: 'warn', text: notice }],
    rejected: [],
  }
}

/** The end of a connector whose password somebody has changed. */
export function refused(at: Date): PastRun {
  const notice = 'The PostgreSQL server refused the user name or password. Check both, then save the connector again.'
  return {
    mode: 'incremental',
    trigger: 'schedule',
    triggeredBy: null,
    status: 'FAILED',
    queuedAt: at,
    completedAt: new Date(at.getTime() + 4_000),
    fault: { kind: 'signIn', code: 'postgres.login_refused', notice },
    streams: [],
    lines: [{ level: 'error', text: notice }],
    rejected: [],
  }
}

function counted({ name, table }: StreamHabit, read: number, phase: PastStream['phase'] = 'done'): PastStream {
  return { name, table, phase, read, written: 0, updated: 0, deleted: 0, rejected: 0 }
}
