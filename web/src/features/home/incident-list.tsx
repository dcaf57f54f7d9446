/** Open incidents: what is wrong, since when, and who must act. */
import type { OverviewConnector, OverviewIncident } from '@tributary/contract/overview'
import { Link } from 'react-router'
import { useMay } from '../../api/session/workspace.ts'
import { ElapsedTime } from '../../domain/time/relative-time.tsx'
import { paths } from '../../paths.ts'
import { closedPeriodsPath, problemPath, readyByPath, runPath } from './connector-links.ts'
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
        const connector = byId.get(incident.ConnectorId ?? '')
        const subject =
          incident.Action === null ? connector && ofConnector(incident, connector) : ofAction(incident.Action)
        return subject === undefined ? null : <IncidentItem key={incident.Id} incident={incident} subject={subject} />
      })}
      {undecided.map((connector) => (
        <UndecidedChanges key={connector.Id} connector={connector} />
      ))}
    </ul>
  )
}

interface IncidentSubject {
  readonly name: string
  /** The page that shows the problem. */
  readonly path: string
}

function ofAction({ Name }: NonNullable<OverviewIncident['Action']>): IncidentSubject {
  return { name: Name, path: paths.afterPublishing }
}

function ofConnector({ Kind, RunId }: OverviewIncident, connector: OverviewConnector): IncidentSubject {
  return { name: connector.Name, path: pathOf(Kind, RunId, connector) }
}

function pathOf(kind: string, runId: string | null, connector: OverviewConnector): string {
  if (kind === 'closedPeriod') return closedPeriodsPath(connector)
  if (kind === 'readyBy') return readyByPath(connector)
  return runId === null || kind === 'tieOut' ? problemPath(connector) : runPath(connector, runId)
}

function IncidentItem({ incident, subject }: { incident: OverviewIncident; subject: IncidentSubject }) {
  const { Notice, OpenedAtUtc, Who } = incident
  return (
    <li className={css.incident} data-who={Who}>
      <p>
        <Link to={subject.path}>{subject.name}</Link>
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
