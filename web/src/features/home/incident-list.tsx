/** Open incidents: what is wrong, since when, and who must act. */
import type { OverviewConnector, OverviewIncident } from '@tributary/contract/overview'
import { Link } from 'react-router'
import { useMay } from '../../api/session/workspace.ts'
import { ElapsedTime } from '../../domain/time/relative-time.tsx'
import { closedPeriodsPath, problemPath, runPath } from './connector-links.ts'
import css from './overview.module.css'

interface IncidentListProps {
  /** Those that need a person first. */
  incidents: readonly OverviewIncident[]
  connectors: readonly OverviewConnector[]
}

export function IncidentList({ incidents, connectors }: IncidentListProps) {
  const byId = new Map(connectors.map((connector) => [connector.Id, connector]))
  const undecided = connectors.filter(({ State }) => State === 'changes')
  if (incidents.length === 0 && undecided.length === 0) return null
  return (
    <ul className={css.incidents} aria-label="Incidents">
      {incidents.map((incident) => {
        const connector = byId.get(incident.ConnectorId)
        return connector === undefined ? null : (
          <IncidentItem key={incident.Id} incident={incident} connector={connector} />
        )
      })}
      {undecided.map((connector) => (
        <UndecidedChanges key={connector.Id} connector={connector} />
      ))}
    </ul>
  )
}

function IncidentItem({ incident, connector }: { incident: OverviewIncident; connector: OverviewConnector }) {
  const { Kind, Notice, OpenedAtUtc, RunId, Who } = incident
  const path =
    Kind === 'closedPeriod'
      ? closedPeriodsPath(connector)
      : RunId === null || Kind === 'tieOut'
        ? problemPath(connector)
        : runPath(connector, RunId)
  return (
    <li className={css.incident} data-who={Who}>
      <p>
        <Link to={path}>{connector.Name}</Link>
        {`: ${Notice}`}
      </p>
      <p className={css.since}>
        <strong>{useActorLabel()(Who)}</strong>
        {', for '}
        <ElapsedTime from={OpenedAtUtc} to={null} />
      </p>
    </li>
  )
}

function UndecidedChanges({ connector }: { connector: OverviewConnector }) {
  const { Name, PendingChanges } = connector
  return (
    <li className={css.incident} data-who="administrator">
      <p>
        <Link to={problemPath(connector)}>{Name}</Link>
        {PendingChanges === 1
          ? ': 1 schema change waits for a decision.'
          : `: ${PendingChanges} schema changes wait for a decision.`}
      </p>
      <p className={css.since}>
        <strong>{useActorLabel()('administrator')}</strong>
      </p>
    </li>
  )
}

/** Who must act, as seen by the user. */
function useActorLabel(): (who: OverviewIncident['Who']) => string {
  const may = useMay()
  return (who) => {
    switch (who) {
      case 'administrator':
        return may('editConnector') ? 'Needs you' : 'Needs an administrator'
      case 'provider':
        return may('seeInsights') ? 'Needs you' : 'Needs the provider'
      case 'owner':
        return 'Needs the organisation that shares it'
      case 'nobody':
        return 'Resolves by itself'
    }
  }
}
