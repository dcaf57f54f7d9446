/** Authorisation on a connector's card: company, authorising user, and a warning if it has ended or expires soon. */
import type { Connector } from '@tributary/contract/connectors'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { connectorAuthorisation } from '../../../api/queries/authorisations.ts'
import { useOrganisationId } from '../../../api/session/workspace.ts'
import { paths } from '../../../paths.ts'
import { formatCompanyLocation } from '../../../domain/connectors/company-location.ts'
import { useNow } from '../../../domain/time/use-now.ts'
import { authorisationProblem, describeAuthoriser } from './authorisation-status.ts'
import css from '../connectors.module.css'

export function AuthorisationSummary({ connector: { Id: connectorId, Type } }: { connector: Connector }) {
  const clientId = useOrganisationId()
  const { data } = useQuery(connectorAuthorisation({ clientId, connectorId }))
  const time = useNow(60_000)
  if (data === undefined) return null
  const problem = authorisationProblem(data, time)
  const { TenantName, Country, Currency, Companies } = data
  const company =
    Companies.length > 0
      ? nameCompanies(Companies.filter(({ Status }) => Status !== 'KEPT').map(({ Name }) => Name))
      : [TenantName, formatCompanyLocation(Country, Currency)]
          .filter((part) => part !== null && part !== '')
          .join(' · ')
  const authorisedBy = describeAuthoriser(data)
  return (
    <div className={css.authorisation}>
      {company === '' ? null : <p>{company}</p>}
      {authorisedBy === '' ? null : <p className="subtle">{authorisedBy}</p>}
      {problem === null ? null : (
        <p className={css.end} data-tone={problem.tone}>
          {problem.text} <Link to={paths.reconnect(Type, connectorId)}>Reconnect</Link>
        </p>
      )}
    </div>
  )
}

const namesShown = 3

/** '3 companies: A, B, C', or '5 companies: A, B and 3 more'. */
function nameCompanies(names: readonly string[]): string {
  const shown = names.length > namesShown ? names.slice(0, namesShown - 1) : names
  const more = names.length - shown.length
  return `${names.length === 1 ? '1 company' : `${names.length} companies`}: ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}
