/** What the latest run of a connector moved, how long it took against the usual, and how fresh the rows are. */
import type { Connector, LatestRun } from '@tributary/contract/connectors'
import type { ReactNode } from 'react'
import { ClockTime, ElapsedTime, formatElapsed, RelativeTime } from '../../../domain/time/relative-time.tsx'
import { formatCount } from '../../../ui/formats.ts'
import css from './dashboard.module.css'
import { isSlow } from './slow-runs.ts'

export function RunFacts({ connector }: { connector: Connector }) {
  return (
    <dl className={css.facts}>
      <Fact label="Rows written">
        <RowsFact connector={connector} />
      </Fact>
      <Fact label={connector.LatestRun?.DurationMs === null ? 'Elapsed' : 'Took'}>
        <DurationFact connector={connector} />
      </Fact>
      <Fact label="Fresh as of">
        <FreshnessFact connector={connector} />
      </Fact>
    </dl>
  )
}

function Fact({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd>{children}</dd>
    </div>
  )
}

export function RowsFact({ connector: { LatestRun: run } }: { connector: Connector }) {
  if (run === null) return '–'
  return (
    <>
      <span className="num">{formatCount(run.RowsWritten)}</span>
      {run.RowsDeleted === 0 ? null : <span className={css.note}>{`${formatCount(run.RowsDeleted)} deleted`}</span>}
    </>
  )
}

export function DurationFact({ connector: { LatestRun: run } }: { connector: Connector }) {
  if (run === null) return '–'
  const { DurationMs, StartedAtUtc, UsualDurationMs } = run
  return (
    <>
      {DurationMs === null ? <ElapsedSince run={run} /> : <span className="num">{formatElapsed(DurationMs)}</span>}
      {UsualDurationMs === null || (DurationMs === null && StartedAtUtc === null) ? null : (
        <span className={css.note} data-slow={isSlow(run) || undefined}>
          {`${isSlow(run) ? 'slow, ' : ''}usually ${formatElapsed(UsualDurationMs)}`}
        </span>
      )}
    </>
  )
}

function ElapsedSince({ run: { StartedAtUtc } }: { run: LatestRun }) {
  return StartedAtUtc === null ? '–' : <ElapsedTime from={StartedAtUtc} to={null} />
}

export function FreshnessFact({ connector: { FreshAtUtc, LateSinceUtc } }: { connector: Connector }) {
  return (
    <>
      {FreshAtUtc === null ? 'No rows yet' : <RelativeTime at={FreshAtUtc} />}
      {LateSinceUtc === null ? null : (
        <span className={css.note} data-slow>
          {'due '}
          <ClockTime at={LateSinceUtc} />
        </span>
      )}
    </>
  )
}
