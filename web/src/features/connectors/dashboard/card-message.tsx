/** What a card has to say beyond its state: what is wrong and what to do, else when it runs next. */
import type { Connector } from '@tributary/contract/connectors'
import { Button } from '@mantine/core'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { isAdminRole, type Need, needOf } from '../../../domain/connectors/connector-state.ts'
import { useType } from '../../../domain/connectors/use-connector-type.ts'
import { useMay, useWorkspace } from '../../../api/session/workspace.ts'
import { paths, withConnector } from '../../../paths.ts'
import { useAddress } from '../../../ui/hooks/search-params.ts'
import { ClockTime, relativeWords } from '../../../domain/time/relative-time.tsx'
import css from './dashboard.module.css'
import { scheduleWords } from '../schedule/schedule.ts'
import { forbiddenHint, stalledHint } from '../connector-status.ts'

export function CardMessage({ connector, time }: { connector: Connector; time: number }) {
  const need = needOf(connector, time)
  return (
    <div className={css.message} data-need={need ?? undefined}>
      {need === null || need === 'tieOut' || need === 'changes' ? (
        <Next connector={connector} time={time} />
      ) : (
        <Trouble connector={connector} need={need} />
      )}
      {connector.PendingChanges > 0 ? <Changes connector={connector} /> : null}
    </div>
  )
}

/** A run that waits, as for the source's limit of a day, says so; it goes on before any other begins. */
function Next({ connector, time }: { connector: Connector; time: number }) {
  const { Id, Log, RecentRuns } = connector
  const params = useAddress()
  if (RecentRuns[0]?.Status !== 'WAITING' || Log === null || Log.Notice === null)
    return <NextRun connector={connector} time={time} />
  return (
    <Said
      text={`It waits, and goes on by itself. ${Log.Notice}`}
      action={<ActLink to={`?${withConnector(params, Id, { run: Log.RunId })}`}>When does it go on?</ActLink>}
    />
  )
}

function NextRun({ connector: { Schedule, NextRunAtUtc }, time }: { connector: Connector; time: number }) {
  return (
    <>
      <p>{scheduleWords(Schedule)}</p>
      {NextRunAtUtc === null ? null : (
        <p>
          Next <ClockTime at={NextRunAtUtc} />, {nextWords(Date.parse(NextRunAtUtc), time)}
        </p>
      )}
    </>
  )
}

function nextWords(at: number, time: number): string {
  return at <= time ? 'about to start' : relativeWords(at, time)
}

function Trouble({ connector, need }: { connector: Connector; need: Exclude<Need, 'tieOut' | 'changes'> }) {
  const { Id, Log, Type, TargetDownSinceUtc, SharedBy } = connector
  const { identity } = useWorkspace()
  const { type } = useType()
  const params = useAddress()
  const run = `?${withConnector(params, Id, { run: Log?.RunId })}`
  const mend = type?.RequiresAuthorisation === true ? paths.reconnect(Type, Id) : `${paths.manage(Type)}?edit=${Id}`
  switch (need) {
    case 'forbidden':
      return (
        <Said
          text={forbiddenHint}
          action={isAdminRole(identity.role) && SharedBy === null ? <RetryLink to={mend} /> : null}
        />
      )
    case 'stalled':
      return <Said text={stalledHint} action={<ActLink to={run}>Why is this stalled?</ActLink>} />
    case 'targetDown':
      return (
        <Said
          text={
            <>
              The schedule waits for the target since <ClockTime at={TargetDownSinceUtc ?? ''} />. It goes on by itself.
            </>
          }
          action={<ActLink to={run}>What to do</ActLink>}
        />
      )
    default:
      return <Said text={Log?.Notice ?? 'The last run failed.'} action={<ActLink to={run}>What to do</ActLink>} />
  }
}

function ActLink({ to, children }: { to: string; children: ReactNode }) {
  return (
    <Link className={css.action} to={to}>
      {children}
    </Link>
  )
}

function RetryLink({ to }: { to: string }) {
  return (
    <Button component={Link} to={to} variant="default" size="compact-sm">
      Retry
    </Button>
  )
}

function Said({ text, action }: { text: ReactNode; action: ReactNode }) {
  return (
    <>
      <p className={css.said} title={typeof text === 'string' ? text : undefined}>
        {text}
      </p>
      {action === null ? null : <p>{action}</p>}
    </>
  )
}

function Changes({ connector: { Id, PendingChanges, SharedBy } }: { connector: Connector }) {
  const params = useAddress()
  const whom = useMay()('decideSchemaChanges') && SharedBy === null ? 'you' : 'an administrator'
  return (
    <p>
      <ActLink to={`?${withConnector(params, Id, { view: 'changes' })}`}>
        {PendingChanges === 1
          ? `1 change of the source waits for ${whom}`
          : `${PendingChanges} changes of the source wait for ${whom}`}
      </ActLink>
    </p>
  )
}
