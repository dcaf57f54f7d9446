/** Message on a card: the problem and what to do about it, otherwise the next run. */
import type { Connector } from '@tributary/contract/connectors'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import {
  approvalNotice,
  isAdminRole,
  type AttentionReason,
  attentionReason,
} from '../../../domain/connectors/connector-state.ts'
import { useConnectorType } from '../../../domain/connectors/use-connector-type.ts'
import { useMay, useWorkspace } from '../../../api/session/workspace.ts'
import { paths } from '../../../paths.ts'
import { ClockTime, formatRelativeTime, ScheduledTime } from '../../../domain/time/relative-time.tsx'
import css from './dashboard.module.css'
import { describeSchedule } from '../../../domain/schedules/schedule.ts'
import { ConnectorLink } from '../../../domain/connectors/connector-link.tsx'
import { forbiddenHint, stalledHint } from '../connector-status.ts'

export function CardMessage({ connector, time }: { connector: Connector; time: number }) {
  const need = attentionReason(connector, time)
  return (
    <div className={css.message} data-need={need ?? undefined}>
      {need === null || need === 'tieOut' || need === 'differences' || need === 'changes' ? (
        <WaitingOrNextRun connector={connector} time={time} />
      ) : (
        <ConnectorProblem connector={connector} need={need} />
      )}
      {connector.PendingChanges > 0 ? <PendingSchemaChanges connector={connector} /> : null}
    </div>
  )
}

/** A waiting run (for example for the source's daily limit) says so; it resumes before any other run starts. */
function WaitingOrNextRun({ connector, time }: { connector: Connector; time: number }) {
  const { Id, Log, RecentRuns } = connector
  if (RecentRuns[0]?.Status !== 'WAITING' || Log === null || Log.Notice === null)
    return <NextRun connector={connector} time={time} />
  return (
    <MessageWithAction
      text={`It is waiting and resumes automatically. ${Log.Notice}`}
      action={
        <ConnectorLink connectorId={Id} run={Log.RunId} className={css.action}>
          When does it resume?
        </ConnectorLink>
      }
    />
  )
}

function NextRun({ connector: { Schedule, NextRunAtUtc, TimeZone }, time }: { connector: Connector; time: number }) {
  return (
    <>
      <p>{describeSchedule(Schedule, TimeZone)}</p>
      {NextRunAtUtc === null ? null : (
        <p>
          Next <ScheduledTime at={NextRunAtUtc} timeZone={TimeZone} />, {formatNextRun(Date.parse(NextRunAtUtc), time)}
        </p>
      )}
    </>
  )
}

function formatNextRun(at: number, time: number): string {
  return at <= time ? 'about to start' : formatRelativeTime(at, time)
}

function ConnectorProblem({
  connector,
  need,
}: {
  connector: Connector
  need: Exclude<AttentionReason, 'tieOut' | 'differences' | 'changes'>
}) {
  const { Id, Log, Type, TargetDownSinceUtc, SharedBy } = connector
  const { identity } = useWorkspace()
  const { type } = useConnectorType()
  const fixPath = type?.RequiresAuthorisation === true ? paths.reconnect(Type, Id) : `${paths.manage(Type)}?edit=${Id}`
  const runLink = (text: string) => (
    <ConnectorLink connectorId={Id} run={Log?.RunId} className={css.action}>
      {text}
    </ConnectorLink>
  )
  switch (need) {
    case 'forbidden':
      return (
        <MessageWithAction
          text={forbiddenHint}
          action={isAdminRole(identity.role) && SharedBy === null ? <RetryLink to={fixPath} /> : null}
        />
      )
    case 'awaitsApproval':
      return <MessageWithAction text={approvalNotice(connector)} action={null} />
    case 'stalled':
      return <MessageWithAction text={stalledHint} action={runLink('Why is this stalled?')} />
    case 'targetDown':
      return (
        <MessageWithAction
          text={
            <>
              The schedule has been waiting for the target since <ClockTime at={TargetDownSinceUtc ?? ''} />. It resumes
              automatically.
            </>
          }
          action={runLink('What to do')}
        />
      )
    default:
      return <MessageWithAction text={Log?.Notice ?? 'The last run failed.'} action={runLink('What to do')} />
  }
}

function RetryLink({ to }: { to: string }) {
  return (
    <Button component={Link} to={to} variant="default" size="compact-sm">
      Retry
    </Button>
  )
}

function MessageWithAction({ text, action }: { text: ReactNode; action: ReactNode }) {
  return (
    <>
      <p className={css.said} title={typeof text === 'string' ? text : undefined}>
        {text}
      </p>
      {action === null ? null : <p>{action}</p>}
    </>
  )
}

function PendingSchemaChanges({ connector: { Id, PendingChanges, SharedBy } }: { connector: Connector }) {
  const reviewer = useMay()('decideSchemaChanges') && SharedBy === null ? 'you' : 'an administrator'
  return (
    <p>
      <ConnectorLink connectorId={Id} view="changes" className={css.action}>
        {PendingChanges === 1
          ? `1 schema change for ${reviewer} to review`
          : `${PendingChanges} schema changes for ${reviewer} to review`}
      </ConnectorLink>
    </p>
  )
}
