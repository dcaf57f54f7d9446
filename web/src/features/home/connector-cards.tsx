import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { Connector } from '@tributary/contract/connectors'
import { IconPlus } from '@tabler/icons-react'
import { IconArrowRight } from '@tabler/icons-react/visitor-icons'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { buildAuthorisationUrl } from '../../api/queries/authorisations.ts'
import {
  type ConnectorActivity,
  connectorActivity,
  isActive,
  lastTriggeredAt,
} from '../../domain/connectors/connector-state.ts'
import { paths } from '../../paths.ts'
import { ConnectorIcon } from '../../domain/connectors/connector-icon.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import css from './home.module.css'

const activitiesWorstFirst: readonly ConnectorActivity[] = ['failed', 'stalled', 'running', 'never', 'completed']
const activityLabels: Record<ConnectorActivity, string> = {
  failed: 'Needs you',
  stalled: 'Taking long',
  running: 'Running',
  never: 'Never started',
  completed: 'Up to date',
}

export function OwnConnectorsCard({
  type,
  connectors,
  time,
}: {
  type: ConnectorType
  connectors: readonly Connector[]
  time: number
}) {
  const active = connectors.filter(isActive)
  const worst = worstActivity(active, time)
  return (
    <ConnectorTypeCard name={type.Type} isEarly={type.IsEarlyStages}>
      <Link className={css.name} to={paths.refresh(type.Type)}>
        {type.Title}
      </Link>
      <p className={css.line}>{formatConnectorCount(active.length)}</p>
      <p className={css.foot}>
        {worst === null ? (
          <span className={css.state}>Disconnected</span>
        ) : (
          <span className={css.state} data-state={worst.state}>
            <span className={css.dot} aria-hidden />
            {active.length > 1 && worst.state !== 'completed'
              ? `${worst.name}: ${activityLabels[worst.state]}`
              : activityLabels[worst.state]}
          </span>
        )}
        {worst === null || worst.at === null ? null : (
          <span className={css.fresh}>
            <RelativeTime at={worst.at} />
          </span>
        )}
      </p>
    </ConnectorTypeCard>
  )
}

/** The connector that most needs attention; among equals the one with the oldest time. */
function worstActivity(connectors: readonly Connector[], time: number) {
  const activities = connectors.map(({ Name, Log }) => {
    // The end of the latest run, or its start while it runs; null before the first run.
    const at = Log === null ? null : (Log.CompletedAtUtc ?? lastTriggeredAt(Log))
    return { name: Name, state: connectorActivity(Log, time), at }
  })
  const [worst = null] = activities.toSorted(
    (one, other) =>
      activitiesWorstFirst.indexOf(one.state) - activitiesWorstFirst.indexOf(other.state) ||
      ((one.at ?? '') < (other.at ?? '') ? -1 : 1),
  )
  return worst
}

/** Excel needs no connector: it is available to every user who may see it. */
export function ExcelCard() {
  return (
    <ConnectorTypeCard name="Excel">
      <Link className={css.name} to={paths.areas}>
        Excel
      </Link>
      <p className={css.line}>Areas, versions and helper tables for planning in a spreadsheet</p>
    </ConnectorTypeCard>
  )
}

export function AvailableConnectorCard({
  type,
  organisationId,
  mayAdd,
}: {
  type: ConnectorType
  organisationId: string
  mayAdd: boolean
}) {
  return (
    <ConnectorTypeCard name={type.Type} isEarly={type.IsEarlyStages} corner={mayAdd ? <IconPlus /> : null}>
      {mayAdd ? (
        <AddConnectorLink type={type} organisationId={organisationId} />
      ) : (
        <span className={css.name}>{type.Title}</span>
      )}
      <p className={css.line}>{type.Description}</p>
      {mayAdd ? null : <p className={css.foot}>Ask your administrator to connect it.</p>}
    </ConnectorTypeCard>
  )
}

/** Types that use OAuth start at the source, so a plain link leaves the portal. */
function AddConnectorLink({ type, organisationId }: { type: ConnectorType; organisationId: string }) {
  if (type.RequiresAuthorisation) {
    return (
      <a className={css.name} href={buildAuthorisationUrl(type.Type, organisationId)}>
        {type.Title}
      </a>
    )
  }
  return (
    <Link className={css.name} to={`${paths.manage(type.Type)}?new=true`}>
      {type.Title}
    </Link>
  )
}

interface ConnectorTypeCardProps {
  name: string
  isEarly?: boolean
  corner?: ReactNode
  children: ReactNode
}

function ConnectorTypeCard({ name, isEarly = false, corner, children }: ConnectorTypeCardProps) {
  return (
    <li className={css.card}>
      <div className={css.top}>
        <ConnectorIcon name={name} />
        {isEarly ? <span className={css.early}>early stage</span> : null}
        <span className={css.corner}>{corner ?? <IconArrowRight />}</span>
      </div>
      {children}
    </li>
  )
}

function formatConnectorCount(count: number): string {
  return count === 1 ? '1 connector' : `${count} connectors`
}
