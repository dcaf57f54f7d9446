/** *Ready by* of an organisation: its time, what was kept and missed, and which connectors will be late. */
import type { OrganisationReadyBy } from '@tributary/contract/ready-by'
import { useQuery } from '@tanstack/react-query'
import { useMay, useOrganisationId } from '../../api/session/workspace.ts'
import { ConnectorLink } from '../connectors/connector-link.tsx'
import { QueryResult } from '../requests/query-result.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { formatCount } from '../../ui/formats.ts'
import { OrganisationWishForm } from './organisation-wish-form.tsx'
import { describeCounts } from './promise-words.ts'
import { organisationReadyBy } from './ready-by-queries.ts'
import { describeWish, reasonWords } from './ready-by-words.ts'
import css from './ready-by.module.css'

export function OrganisationPromises({ clientId }: { readonly clientId: string }) {
  const query = useQuery(organisationReadyBy(clientId))
  const may = useMay()
  const isSelected = useOrganisationId() === clientId
  return (
    <QueryResult query={query}>
      {(readyBy) => (
        <>
          <p>
            {readyBy.Wish === null ? 'No time is set for all connectors' : describeWish(readyBy.Wish, readyBy.TimeZone)}
            {`. All connectors with a time: ${describeCounts(readyBy.Counts).toLowerCase()}.`}
          </p>
          <Reasons readyBy={readyBy} />
          <AtRisk readyBy={readyBy} isLinked={isSelected} />
          {may('editOrganisation') ? (
            <OrganisationWishForm key={JSON.stringify(readyBy.Wish)} clientId={clientId} readyBy={readyBy} />
          ) : null}
        </>
      )}
    </QueryResult>
  )
}

function Reasons({ readyBy: { Reasons: reasons } }: { readonly readyBy: OrganisationReadyBy }) {
  if (reasons.length === 0) return null
  return (
    <ul className={css.reasons} aria-label="Why times were missed">
      {reasons.map(({ Reason, Missed }) => (
        <li key={Reason}>{`${reasonWords[Reason]}: ${formatCount(Missed)}`}</li>
      ))}
    </ul>
  )
}

interface AtRiskProps {
  readonly readyBy: OrganisationReadyBy
  /** Connectors of another organisation than the selected one cannot be opened. */
  readonly isLinked: boolean
}

/** The connectors that will not be ready in time, each with its reason. */
function AtRisk({ readyBy: { Connectors }, isLinked }: AtRiskProps) {
  const late = Connectors.filter(({ Next }) => Next !== null && Next.Obstacle !== null)
  if (late.length === 0) return null
  return (
    <Callout tone="warn" title="These connectors will not be ready in time">
      <ul className={css.reasons}>
        {late.map(({ Id, Name, Next }) => (
          <li key={Id}>
            {isLinked ? (
              <ConnectorLink connectorId={Id} view="readyBy" replace>
                {Name}
              </ConnectorLink>
            ) : (
              Name
            )}
            {`: ${Next?.Notice ?? ''}`}
          </li>
        ))}
      </ul>
    </Callout>
  )
}
