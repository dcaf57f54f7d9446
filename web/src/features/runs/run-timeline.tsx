import type { RunDetail, RunStream } from '@tributary/contract/runs'
import type { ReactNode } from 'react'
import { isUnfinished } from '../../api/queries/runs.ts'
import { useClock } from '../../domain/time/use-organisation-clock.ts'
import { ClockTime, Elapsed, elapsedWords } from '../../domain/time/relative-time.tsx'
import { runLooks, shownStreams, streamPhases } from './run-status.ts'
import css from './runs.module.css'

/** What happened, in order: queued, started, the tables, waiting, ended. */
export function RunTimeline({ run }: { run: RunDetail }) {
  const { QueuedAtUtc, StartedAtUtc, CompletedAtUtc, RetryAtUtc, Status } = run
  const streams = shownStreams(run)
  return (
    <section className={css.part} aria-labelledby="run-timeline">
      <h3 id="run-timeline">Timeline</h3>
      <ol className={css.timeline}>
        <Moment title="Queued" at={QueuedAtUtc} />
        {StartedAtUtc === null ? null : (
          <Moment title="Started" at={StartedAtUtc}>
            {waitedWords(QueuedAtUtc, StartedAtUtc)}
          </Moment>
        )}
        {streams.length === 0 ? null : (
          <Moment title="Tables" tone={streams.some(({ Phase }) => Phase === 'failed') ? 'error' : undefined}>
            {tableWords(streams)}
          </Moment>
        )}
        {Status === 'WAITING' && RetryAtUtc !== null ? (
          <Moment title="Waiting" tone="warn">
            {run.Attempt > 1 ? `Tried ${run.Attempt} times. ` : null}Goes on <ClockTime at={RetryAtUtc} />.
          </Moment>
        ) : null}
        {CompletedAtUtc === null ? null : (
          <Moment title={runLooks[Status].word} at={CompletedAtUtc} tone={Status === 'FAILED' ? 'error' : 'ok'}>
            {StartedAtUtc === null ? null : (
              <>
                after <Elapsed from={StartedAtUtc} to={CompletedAtUtc} />
              </>
            )}
          </Moment>
        )}
        {isUnfinished(run) && Status !== 'WAITING' ? <Moment title="Going on" tone="going" /> : null}
      </ol>
    </section>
  )
}

const moment = { day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit', second: '2-digit' } as const

interface MomentProps {
  title: string
  at?: string
  tone?: 'ok' | 'warn' | 'error' | 'going' | undefined
  children?: ReactNode
}

function Moment({ title, at, tone, children }: MomentProps) {
  const tell = useClock(moment)
  return (
    <li data-tone={tone}>
      <strong>{title}</strong>
      {at === undefined ? null : <time dateTime={at}>{tell(at)}</time>}
      {children === undefined || children === null ? null : <span>{children}</span>}
    </li>
  )
}

function waitedWords(queuedAt: string, startedAt: string): string | null {
  const waitedMs = Date.parse(startedAt) - Date.parse(queuedAt)
  return waitedMs < 5_000 ? null : `after waiting ${elapsedWords(waitedMs)}`
}

const namedMax = 3

/** '3 of 5 done; Reading customer, order; failed: product'. */
export function tableWords(streams: readonly RunStream[]): string {
  const done = streams.filter(({ Phase }) => Phase === 'done').length
  const others = [...new Set(streams.map(({ Phase }) => Phase))].filter(
    (phase) => phase !== 'done' && phase !== 'waiting',
  )
  const parts = others.map(
    (phase) => `${streamPhases[phase].toLowerCase()}: ${namesOf(streams.filter(({ Phase }) => Phase === phase))}`,
  )
  return [`${done} of ${streams.length} done`, ...parts].join('; ')
}

function namesOf(streams: readonly RunStream[]): string {
  const names = streams.slice(0, namedMax).map(({ Table }) => Table)
  return streams.length > namedMax ? `${names.join(', ')} and ${streams.length - namedMax} more` : names.join(', ')
}
