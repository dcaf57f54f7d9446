import type { RunDetail, RunStream } from '@tributary/contract/runs'
import type { ReactNode } from 'react'
import { isUnfinished } from '../../api/queries/runs.ts'
import { ClockTime, ElapsedTime, formatElapsed } from '../../domain/time/relative-time.tsx'
import { runStatusBadges, displayedStreams, streamPhaseLabels } from './run-status.ts'
import { DrawerSection } from '../../ui/layout/drawer-section.tsx'
import css from './runs.module.css'
import { formatMoment } from '../../ui/formats.ts'

/** Events of a run in order: queued, started, tables, waiting, ended. */
export function RunTimeline({ run }: { run: RunDetail }) {
  const { QueuedAtUtc, StartedAtUtc, CompletedAtUtc, RetryAtUtc, Status } = run
  const streams = displayedStreams(run)
  return (
    <DrawerSection title="Timeline">
      <ol className={css.timeline}>
        <TimelineEvent title="Queued" at={QueuedAtUtc} />
        {StartedAtUtc === null ? null : (
          <TimelineEvent title="Started" at={StartedAtUtc}>
            {describeWait(QueuedAtUtc, StartedAtUtc)}
          </TimelineEvent>
        )}
        {streams.length === 0 ? null : (
          <TimelineEvent title="Tables" tone={streams.some(({ Phase }) => Phase === 'failed') ? 'error' : undefined}>
            {summariseTables(streams)}
          </TimelineEvent>
        )}
        {Status === 'WAITING' && RetryAtUtc !== null ? (
          <TimelineEvent title="Waiting" tone="warn">
            {run.Attempt > 1 ? `Tried ${run.Attempt} times. ` : null}Resumes <ClockTime at={RetryAtUtc} />.
          </TimelineEvent>
        ) : null}
        {CompletedAtUtc === null ? null : (
          <TimelineEvent
            title={runStatusBadges[Status].label}
            at={CompletedAtUtc}
            tone={Status === 'FAILED' ? 'error' : 'ok'}
          >
            {StartedAtUtc === null ? null : (
              <>
                after <ElapsedTime from={StartedAtUtc} to={CompletedAtUtc} />
              </>
            )}
          </TimelineEvent>
        )}
        {isUnfinished(run) && Status !== 'WAITING' ? <TimelineEvent title="In progress" tone="going" /> : null}
      </ol>
    </DrawerSection>
  )
}

interface TimelineEventProps {
  title: string
  at?: string
  tone?: 'ok' | 'warn' | 'error' | 'going' | undefined
  children?: ReactNode
}

function TimelineEvent({ title, at, tone, children }: TimelineEventProps) {
  return (
    <li data-tone={tone}>
      <strong>{title}</strong>
      {at === undefined ? null : <time dateTime={at}>{formatMoment(at, 'dayAndSeconds')}</time>}
      {children === undefined || children === null ? null : <span>{children}</span>}
    </li>
  )
}

function describeWait(queuedAt: string, startedAt: string): string | null {
  const waitedMs = Date.parse(startedAt) - Date.parse(queuedAt)
  return waitedMs < 5_000 ? null : `after waiting ${formatElapsed(waitedMs)}`
}

const maxNames = 3

/** Formats '3 of 5 done; reading: customer, order; failed: product'. */
export function summariseTables(streams: readonly RunStream[]): string {
  const done = streams.filter(({ Phase }) => Phase === 'done').length
  const others = [...new Set(streams.map(({ Phase }) => Phase))].filter(
    (phase) => phase !== 'done' && phase !== 'waiting',
  )
  const parts = others.map(
    (phase) =>
      `${streamPhaseLabels[phase].toLowerCase()}: ${joinTableNames(streams.filter(({ Phase }) => Phase === phase))}`,
  )
  return [`${done} of ${streams.length} done`, ...parts].join('; ')
}

function joinTableNames(streams: readonly RunStream[]): string {
  const names = streams.slice(0, maxNames).map(({ Table }) => Table)
  return streams.length > maxNames ? `${names.join(', ')} and ${streams.length - maxNames} more` : names.join(', ')
}
