/** Describes a run: status, phase, scope, and why it takes long. */
import type { Run, RunDetail, RunStream } from '@tributary/contract/runs'
import { stalledAfterMs } from '@tributary/contract/limits'
import { IconBan, IconCheck, IconClock, IconProgress } from '@tabler/icons-react'
import { IconX } from '@tabler/icons-react/visitor-icons'
import { isUnfinished } from '../../api/queries/runs.ts'
import { formatRelativeTime } from '../../domain/time/relative-time.tsx'
import type { StatusBadgeProps } from '../../ui/display/status-badge.tsx'
import { formatCount, formatMoment, formatZoneNote } from '../../ui/formats.ts'

export const runStatusBadges: Record<Run['Status'], StatusBadgeProps> = {
  QUEUED: { label: 'Queued', tone: 'quiet', icon: IconClock },
  RUNNING: { label: 'Running', tone: 'info', icon: IconProgress, isPulsing: true },
  WAITING: { label: 'Waiting', tone: 'warn', icon: IconClock },
  COMPLETED: { label: 'Completed', tone: 'ok', icon: IconCheck },
  FAILED: { label: 'Failed', tone: 'error', icon: IconX },
  CANCELLED: { label: 'Cancelled', tone: 'quiet', icon: IconBan },
}

export const runPhases = ['Queued', 'Connecting', 'Reading', 'Finishing', 'Completed'] as const
export type RunPhase = (typeof runPhases)[number]

/** Phase of a run; for one that ended without completing, the phase it ended in. */
export function runPhase({
  Status,
  StartedAtUtc,
  Streams,
}: Pick<RunDetail, 'Status' | 'StartedAtUtc' | 'Streams'>): RunPhase {
  if (Status === 'COMPLETED') return 'Completed'
  if (StartedAtUtc === null) return 'Queued'
  const isIn =
    (...expected: RunStream['Phase'][]) =>
    (stream: RunStream) =>
      expected.includes(stream.Phase)
  if (Streams.every(isIn('waiting', 'preparing'))) return 'Connecting'
  return Streams.every(isIn('finishing', 'sweeping', 'verifying', 'done')) ? 'Finishing' : 'Reading'
}

/** The row counts of a run, and of each of its tables. */
export const rowCounts = [
  ['Read', 'RowsRead'],
  ['Written', 'RowsWritten'],
  ['Updated', 'RowsUpdated'],
  ['Deleted', 'RowsDeleted'],
  ['Rejected', 'RowsRejected'],
] as const

export const streamPhaseLabels: Record<RunStream['Phase'], string> = {
  waiting: 'Waiting',
  preparing: 'Preparing',
  reading: 'Reading',
  finishing: 'Finishing',
  sweeping: 'Comparing keys',
  verifying: 'Verifying',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

/** A waiting run resumes automatically, so its interrupted tables are shown as waiting instead of failed. */
export function displayedStreams({ Status, Streams }: Pick<RunDetail, 'Status' | 'Streams'>): readonly RunStream[] {
  if (Status !== 'WAITING') return Streams
  return Streams.map((stream) => (stream.Phase === 'failed' ? { ...stream, Phase: 'waiting' } : stream))
}

export const modeLabels: Record<Run['Mode'], string> = {
  incremental: 'Incremental',
  full: 'Full',
  verify: 'Verification',
  repair: 'Repair',
  erase: 'Erasure in history',
  maintain: 'Maintenance',
}

const modeTitles: Record<Run['Mode'], string> = {
  ...modeLabels,
  incremental: 'Incremental run',
  full: 'Full run',
}

/** Title of a run: mode, scope and trigger. */
export function formatRunTitle({ Mode, OnlyStreams, FromUtc, Trigger, TriggeredBy }: Run, timeZone: string): string {
  const by = Trigger === 'schedule' ? 'by the schedule' : `by ${TriggeredBy ?? 'hand'}`
  return `${modeTitles[Mode]}${formatRunScope(OnlyStreams, FromUtc, timeZone)}, started ${by}`
}

/**
 * Formats ' of customer from 1 Nov 2026', with the day in the time zone of the organisation; empty for a run of all
 * tables.
 */
export function formatRunScope(streams: Run['OnlyStreams'], from: Run['FromUtc'], timeZone: string): string {
  const which = streams === null ? '' : ` of ${streams.length === 1 ? streams[0] : `${streams.length} tables`}`
  if (from === null) return which
  return `${which} from ${formatMoment(from, 'date', timeZone)}${formatZoneNote(timeZone)}`
}

/** Explains why a run has not ended after half an hour; null for a shorter or finished run. */
export function explainStall(run: RunDetail, now: number): string | null {
  if (!isUnfinished(run) || now - Date.parse(run.QueuedAtUtc) < stalledAfterMs) return null
  if (run.Status === 'QUEUED')
    return 'It has not started: every worker is busy with other runs. It starts as soon as one is free.'
  if (run.Status === 'WAITING')
    return 'It is not stuck: it is waiting and resumes automatically. Refresh restarts it at once.'
  const moving = run.Streams.filter(({ Phase }) => Phase !== 'waiting' && Phase !== 'done')
  const last = run.Lines.at(-1)
  const where = moving.length === 0 ? 'It is between two tables.' : `It is at ${moving.map(describeStream).join(', ')}.`
  const heard =
    last === undefined ? '' : ` It last wrote to its log ${formatRelativeTime(Date.parse(last.AtUtc), now)}.`
  return `${where} So far it has read ${formatCount(run.RowsRead)} rows.${heard} Large tables take time. Refresh restarts it, and written rows stay.`
}

function describeStream({ Table, Phase, RowsRead, RowsEstimate }: RunStream): string {
  const share = RowsEstimate === null || RowsEstimate === 0 ? '' : ` of about ${formatCount(RowsEstimate)}`
  return `${Table} (${streamPhaseLabels[Phase].toLowerCase()}, ${formatCount(RowsRead)}${share} rows)`
}
