/** On a connector's card: which company it moves, by whose word, and whether that word still holds. */
import type { ConnectorAuthorisation } from '@tributary/contract/authorisations'
import type { Connector } from '@tributary/contract/connectors'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { connectorAuthorisation } from '../../../api/queries/authorisations.ts'
import { useWorkspace } from '../../../api/session/workspace.ts'
import { paths } from '../../../paths.ts'
import { companyPlace } from '../../../domain/connectors/company-location.ts'
import { useTick } from '../../../domain/time/relative-time.tsx'
import { appNames, endWords } from './authorisation-status.ts'
import css from '../connectors.module.css'

export function AuthorisationLine({ connector: { Id: connectorId, Type } }: { connector: Connector }) {
  const clientId = useWorkspace().organisation.Id
  const { data } = useQuery(connectorAuthorisation({ clientId, connectorId }))
  const end = useEnd(data)
  if (data === undefined) return null
  const { TenantName, Country, Currency, EmailAddress, App } = data
  const company = [TenantName, companyPlace(Country, Currency)]
    .filter((part) => part !== null && part !== '')
    .join(' · ')
  const by = [EmailAddress, App === null ? null : appNames[App]].filter((part) => part !== null).join(', ')
  return (
    <div className={css.authorisation}>
      {company === '' ? null : <p>{company}</p>}
      {by === '' ? null : <p className="subtle">{by}</p>}
      {end === null ? null : (
        <p className={css.end} data-tone={end.tone}>
          {end.text} <Link to={paths.reconnect(Type, connectorId)}>Reconnect</Link>
        </p>
      )}
    </div>
  )
}

/** Null while all is well. */
function useEnd(authorisation: ConnectorAuthorisation | undefined) {
  const time = useTick(60_000)
  return authorisation === undefined ? null : endWords(authorisation, time)
}
