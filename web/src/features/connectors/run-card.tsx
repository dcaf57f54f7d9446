/** A connector on the dashboard: how it stands, when it last ran, and the buttons that run it. */
import type { Connector } from '@tributary/contract/connectors'
import { avatarsMax } from '@tributary/contract/limits'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { Link, useSearchParams } from 'react-router'
import { activityOf, assignedUsers, isActive, isAdminRole, mayRefresh } from '../../api/connector-state.ts'
import { useMay, useWorkspace } from '../../api/workspace.ts'
import { paths } from '../../paths.ts'
import { AvatarStack, type Person } from '../../ui/avatar-stack.tsx'
import { ErrorBanner } from '../../ui/error-banner.tsx'
import { Mark } from '../../ui/mark.tsx'
import { Note } from '../../ui/note.tsx'
import { RecordCard } from '../../ui/record-card.tsx'
import { ClockTime, useTick } from '../../ui/relative-time.tsx'
import { StatusBadge } from '../../ui/status-badge.tsx'
import { ActivityLine } from './activity-line.tsx'
import css from './connectors.module.css'
import { scheduleWords } from './schedule.ts'
import { forbiddenHint, stalledHint, statusLook } from './status-look.ts'
import { useStartRun, withRun } from './use-start-run.ts'
import { titleIdOf } from './use-type.ts'

export function RunCard({ connector, members }: { connector: Connector; members: ReadonlyMap<string, Person> }) {
  const time = useTick(15_000)
  const { Name: name, OriginalName: original } = connector
  const activity = activityOf(connector.Log, time)
  const people = assignedUsers(connector).flatMap((id) => members.get(id) ?? [])
  const [params] = useSearchParams()
  const isOn = isActive(connector)

  return (
    <RecordCard
      titleId={titleIdOf(connector)}
      mark={<Mark name={connector.Type} />}
      title={<Link to={`?${withRun(params, connector.Id, connector.Log?.RunId)}`}>{name}</Link>}
      subtitle={original === name ? undefined : original}
      badge={<StatusBadge {...statusLook(connector)} />}
      isInactive={!isOn}
      footer={isOn ? <RunButtons connector={connector} isEnabled={mayRefresh(connector.Log, time)} /> : null}
    >
      <ActivityLine log={connector.Log} activity={activity} />
      {isOn ? <Trouble connector={connector} isStalled={activity === 'stalled'} /> : null}
      {isOn && connector.NextRunAtUtc !== null ? (
        <p className="small subtle">
          {scheduleWords(connector.Schedule)}, next <ClockTime at={connector.NextRunAtUtc} />
        </p>
      ) : null}
      <AvatarStack people={people} max={avatarsMax} label={`People who see ${name}`} />
    </RecordCard>
  )
}

function Trouble({ connector: { Log, Type }, isStalled }: { connector: Connector; isStalled: boolean }) {
  const { identity } = useWorkspace()
  if (isStalled) return <Note tone="warn">{stalledHint}</Note>
  if (Log?.Forbidden === true) {
    return (
      <Note tone="warn">
        <p>{forbiddenHint}</p>
        {isAdminRole(identity.role) ? (
          <Button component={Link} to={paths.manage(Type)} variant="default" size="compact-sm" className={css.retry}>
            Retry
          </Button>
        ) : null}
      </Note>
    )
  }
  return Log?.HasError === true && Log.Notice !== null ? <Note tone="error">{Log.Notice}</Note> : null
}

function RunButtons({ connector, isEnabled }: { connector: Connector; isEnabled: boolean }) {
  const may = useMay()
  const [error, setError] = useState<string | null>(null)
  const start = useStartRun(connector, setError)
  const button = (label: string, mode: 'incremental' | 'full') => (
    <Button
      variant="default"
      size="sm"
      disabled={!isEnabled}
      loading={start.isPending && start.variables === mode}
      aria-describedby={titleIdOf(connector)}
      onClick={() => start.mutate(mode)}
    >
      {label}
    </Button>
  )
  return (
    <>
      {error === null ? null : (
        <div className={css.wide}>
          <ErrorBanner message={error} onDismiss={() => setError(null)} />
        </div>
      )}
      {may('chooseRunMode')
        ? [<span key="i">{button('Incremental', 'incremental')}</span>, <span key="f">{button('Full', 'full')}</span>]
        : button('Refresh', 'incremental')}
      {isEnabled ? null : <span className="small subtle">Running</span>}
    </>
  )
}
