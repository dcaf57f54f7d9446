/** A run in words: how it stands, how far it has come, and why it takes so long. */
import type { Run, RunDetail, RunStream } from '@tributary/contract/runs'
import { stalledAfterMs } from '@tributary/contract/limits'
import { IconBan, IconCheck, IconClock, IconProgress, IconX } from '@tabler/icons-react'
import { isUnfinished } from '../../api/queries/runs.ts'
import { count } from '../../ui/tables/data-table.tsx'
import { relativeWords } from '../../domain/time/relative-time.tsx'
import type { BadgeLook } from '../../ui/display/status-badge.tsx'

export const runLooks: Record<Run['Status'], BadgeLook> = {
  QUEUED: { word: 'Queued', tone: 'quiet', icon: IconClock },
  RUNNING: { word: 'Running', tone: 'info', icon: IconProgress, isPulsing: true },
  WAITING: { word: 'Waiting', tone: 'warn', icon: IconClock },
  COMPLETED: { word: 'Completed', tone: 'ok', icon: IconCheck },
  FAILED: { word: 'Failed', tone: 'error', icon: IconX },
  CANCELLED: { word: 'Cancelled', tone: 'quiet', icon: IconBan },
}

export const phases = ['Queued', 'Connecting', 'Reading', 'Finishing', 'Completed'] as const
export type Phase = (typeof phases)[number]

/** The phase a run is in, or was in when it ended without completing. */
export function phaseOf({
  Status,
  StartedAtUtc,
  Streams,
}: Pick<RunDetail, 'Status' | 'StartedAtUtc' | 'Streams'>): Phase {
  if (Status === 'COMPLETED') return 'Completed'
  if (StartedAtUtc === null) return 'Queued'
  const isIn =
    (...wanted: RunStream['Phase'][]) =>
    (stream: RunStream) =>
      wanted.includes(stream.Phase)
  if (Streams.every(isIn('waiting', 'preparing'))) return 'Connecting'
  return Streams.every(isIn('finishing', 'sweeping', 'done')) ? 'Finishing' : 'Reading'
}

export const streamPhases: Record<RunStream['Phase'], string> = {
  waiting: 'Waiting',
  preparing: 'Preparing',
  reading: 'Reading',
  finishing: 'Finishing',
  sweeping: 'Comparing keys',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
}

/** A run that waits goes on by itself, so that what it was interrupted in has not failed. */
export function shownStreams({ Status, Streams }: Pick<RunDetail, 'Status' | 'Streams'>): readonly RunStream[] {
  if (Status !== 'WAITING') return Streams
  return Streams.map((stream) => (stream.Phase === 'failed' ? { ...stream, Phase: 'waiting' } : stream))
}

/** What the run moves, and who wanted it. */
export function runTitle({ Mode, OnlyStreams, FromUtc, Trigger, TriggeredBy }: Run, timeZone: string): string {
  const by = Trigger === 'schedule' ? 'by the schedule' : `by ${TriggeredBy ?? 'hand'}`
  return `${Mode === 'full' ? 'Full' : 'Incremental'} run${scopeWords(OnlyStreams, FromUtc, timeZone)}, started ${by}`
}

/** ' of customer from 1 Nov 2026', the day being that of the zone in which it was chosen; empty for a run of everything. */
export function scopeWords(streams: Run['OnlyStreams'], from: Run['FromUtc'], timeZone: string): string {
  const which = streams === null ? '' : ` of ${streams.length === 1 ? streams[0] : `${streams.length} tables`}`
  if (from === null) return which
  return `${which} from ${new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone }).format(Date.parse(from))}`
}

/** Why a run that has gone on for half an hour has not ended yet; null for one that has, or is younger. */
export function stalledWhy(run: RunDetail, now: number): string | null {
  if (!isUnfinished(run) || now - Date.parse(run.QueuedAtUtc) < stalledAfterMs) return null
  if (run.Status === 'QUEUED')
    return 'It has not started: every worker is busy with other runs. It starts as soon as one is free.'
  if (run.Status === 'WAITING')
    return 'It is not stuck: it waits, and goes on by itself. Refresh starts it anew at once.'
  const moving = run.Streams.filter(({ Phase }) => Phase !== 'waiting' && Phase !== 'done')
  const last = run.Lines.at(-1)
  const where = moving.length === 0 ? 'It is between two tables.' : `It is at ${moving.map(streamWords).join(', ')}.`
  const heard = last === undefined ? '' : ` It last wrote to its log ${relativeWords(Date.parse(last.AtUtc), now)}.`
  return `${where} So far it has read ${count(run.RowsRead)} rows.${heard} Large tables take their time; Refresh starts it anew, and what was written stays.`
}

function streamWords({ Table, Phase, RowsRead, RowsEstimate }: RunStream): string {
  const share = RowsEstimate === null || RowsEstimate === 0 ? '' : ` of about ${count(RowsEstimate)}`
  return `${Table} (${streamPhases[Phase].toLowerCase()}, ${count(RowsRead)}${share} rows)`
}
