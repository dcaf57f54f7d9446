import type { Incident } from '@tributary/contract/alerts'
import { IconAlertTriangle, IconCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import type { ConnectorParams } from '../../../api/queries/runs.ts'
import { EmptyState } from '../../../ui/feedback/empty-state.tsx'
import { Loaded } from '../../../domain/requests/query-result.tsx'
import { Elapsed, RelativeTime } from '../../../domain/time/relative-time.tsx'
import { StatusBadge } from '../../../ui/display/status-badge.tsx'
import { incidentList } from '../api.ts'
import css from '../runs.module.css'

/** The times in which the connector needed somebody, and what became of the messages about it. */
export function IncidentsView({ place, onRun }: { place: ConnectorParams; onRun: (runId: string) => void }) {
  const query = useQuery(incidentList(place))
  return (
    <Loaded query={query}>
      {(incidents) =>
        incidents.length === 0 ? (
          <EmptyState kind="first" title="No incidents.">
            When a run fails, stalls or waits for somebody, that will appear here, from its beginning to its end.
          </EmptyState>
        ) : (
          <ol className={css.incidents} aria-label="Incidents, latest first">
            {incidents.map((incident) => (
              <OneIncident key={incident.Id} incident={incident} onRun={onRun} />
            ))}
          </ol>
        )
      }
    </Loaded>
  )
}

function OneIncident({ incident, onRun }: { incident: Incident; onRun: (runId: string) => void }) {
  const { RunId, Notice, OpenedAtUtc, ClosedAtUtc, Deliveries } = incident
  const isOpen = ClosedAtUtc === null
  return (
    <li className={css.incident}>
      <div className={css.partHead}>
        <StatusBadge
          {...(isOpen
            ? ({ word: 'Open', tone: 'error', icon: IconAlertTriangle } as const)
            : ({ word: 'Over', tone: 'ok', icon: IconCheck } as const))}
        />
        <span className="small subtle">
          {isOpen ? (
            'for '
          ) : (
            <>
              <RelativeTime at={OpenedAtUtc} />, lasted{' '}
            </>
          )}
          <Elapsed from={OpenedAtUtc} to={ClosedAtUtc} />
        </span>
      </div>
      <p>{Notice}</p>
      {RunId === null ? null : (
        <button type="button" className={css.open} onClick={() => onRun(RunId)}>
          See the run
        </button>
      )}
      {Deliveries.length === 0 ? null : (
        <ul className={css.deliveries} aria-label="Messages to the webhook">
          {Deliveries.map(({ Event, Status, AtUtc, Notice: answer }) => (
            <li key={`${Event} ${AtUtc}`}>
              {`Webhook, ${Event}: ${deliveryWords[Status]} `}
              <RelativeTime at={AtUtc} />
              {answer === null ? null : `. ${answer}`}
            </li>
          ))}
        </ul>
      )}
    </li>
  )
}

const deliveryWords = { WAITING: 'waits, last tried', DELIVERED: 'delivered', FAILED: 'given up' } as const
