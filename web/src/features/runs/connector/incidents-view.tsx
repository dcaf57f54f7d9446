import type { Incident } from '@tributary/contract/alerts'
import { IconCheck } from '@tabler/icons-react'
import { IconAlertTriangle } from '@tabler/icons-react/visitor-icons'
import { useQuery } from '@tanstack/react-query'
import { LinkButton } from '../../../ui/display/link-button.tsx'
import type { ConnectorParams } from '../../../api/queries/runs.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { QueryResult } from '../../../domain/requests/query-result.tsx'
import { ElapsedTime, RelativeTime } from '../../../domain/time/relative-time.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { incidentList } from '../api.ts'
import css from '../runs.module.css'

/** Incidents of the connector, and the delivery of their messages. */
export function IncidentsView({ ids, onRun }: { ids: ConnectorParams; onRun: (runId: string) => void }) {
  const query = useQuery(incidentList(ids))
  return (
    <QueryResult query={query}>
      {(incidents) =>
        incidents.length === 0 ? (
          <EmptyState kind="first" title="No incidents.">
            When a run fails, stalls or needs a person, the incident appears here with its start and end.
          </EmptyState>
        ) : (
          <ol className={css.incidents} aria-label="Incidents, latest first">
            {incidents.map((incident) => (
              <IncidentItem key={incident.Id} incident={incident} onRun={onRun} />
            ))}
          </ol>
        )
      }
    </QueryResult>
  )
}

function IncidentItem({ incident, onRun }: { incident: Incident; onRun: (runId: string) => void }) {
  const { RunId, Notice, OpenedAtUtc, ClosedAtUtc, Deliveries } = incident
  const isOpen = ClosedAtUtc === null
  return (
    <li className={css.incident}>
      <div className={css.incidentHead}>
        <StatusBadge
          {...(isOpen
            ? ({ label: 'Open', tone: 'error', icon: IconAlertTriangle } as const)
            : ({ label: 'Over', tone: 'ok', icon: IconCheck } as const))}
        />
        <span className="small subtle">
          {isOpen ? (
            'for '
          ) : (
            <>
              <RelativeTime at={OpenedAtUtc} />, lasted{' '}
            </>
          )}
          <ElapsedTime from={OpenedAtUtc} to={ClosedAtUtc} />
        </span>
      </div>
      <p>{Notice}</p>
      {RunId === null ? null : <LinkButton onClick={() => onRun(RunId)}>See the run</LinkButton>}
      {Deliveries.length === 0 ? null : (
        <ul className={css.deliveries} aria-label="Messages">
          {Deliveries.map(({ Channel, Event, Status, AtUtc, Notice: answer }) => (
            <li key={`${Channel} ${Event} ${AtUtc}`}>
              {`${Channel ?? 'Webhook'}, ${Event}: ${deliveryLabels[Status]} `}
              <RelativeTime at={AtUtc} />
              {answer === null ? null : `. ${answer}`}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

const deliveryLabels = { WAITING: 'waiting, last tried', DELIVERED: 'delivered', FAILED: 'given up' } as const
