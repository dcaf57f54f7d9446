/** A run in words: how it stands, how far it has come, and who must act when it failed. */
import type { Run, RunDetail, RunStream } from '@tributary/contract/runs'
import { IconBan, IconCheck, IconClock, IconProgress, IconX } from '@tabler/icons-react'
import type { BadgeLook } from '../../ui/status-badge.tsx'

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
export function phaseOf({ Status, StartedAtUtc, Streams }: Pick<RunDetail, 'Status' | 'StartedAtUtc' | 'Streams'>): Phase {
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

/** Who must act, and how. */
export const whoActs: Record<NonNullable<Run['FaultKind']>, string> = {
  settings: 'An administrator must change the settings of this connector.',
  signIn: 'The credentials were refused. An administrator must enter them again.',
  busy: 'The source asked for a pause. Nobody needs to act: it goes on by itself.',
  passing: 'This usually passes. Nobody needs to act, unless it comes again and again.',
  data: 'Some rows could not be placed. Look at the rejected rows and mend them in the source.',
  bug: 'This is a fault in Tributary. Nobody here can mend it: tell your provider.',
}

export function mayMendInSettings(kind: Run['FaultKind']): boolean {
  return kind === 'settings' || kind === 'signIn'
}
