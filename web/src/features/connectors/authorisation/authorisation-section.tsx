/**
 * Replaces the source's settings for a type that uses OAuth: the status of the authorisation, and the link to renew
 * it.
 */
import type { ConnectorAuthorisation } from '@tributary/contract/authorisations'
import type { Connector } from '@tributary/contract/connectors'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { connectorAuthorisation } from '../../../api/queries/authorisations.ts'
import { useWorkspace } from '../../../api/session/workspace.ts'
import { paths } from '../../../paths.ts'
import { companyPlace } from '../../../domain/connectors/company-location.ts'
import { Loaded } from '../../../domain/requests/query-result.tsx'
import { Note } from '../../../ui/feedback/callout.tsx'
import { type Fact, Facts } from '../../../ui/layout/panel.tsx'
import { exactTime, useTick } from '../../../domain/time/relative-time.tsx'
import { appDescriptions, authorisationProblem } from './authorisation-status.ts'
import css from '../connectors.module.css'

export function AuthorisationSection({ connector: { Id: connectorId, Type } }: { connector: Connector }) {
  const clientId = useWorkspace().organisation.Id
  const query = useQuery(connectorAuthorisation({ clientId, connectorId }))
  return (
    <section className={css.section} aria-labelledby="authorisation">
      <h3 className={css.heading} id="authorisation">
        Authorisation
      </h3>
      <Loaded query={query}>{(authorisation) => <AuthorisationDetails authorisation={authorisation} />}</Loaded>
      <Button component={Link} to={paths.reconnect(Type, connectorId)} variant="default" className={css.begin}>
        Reconnect
      </Button>
    </section>
  )
}

function AuthorisationDetails({ authorisation }: { authorisation: ConnectorAuthorisation }) {
  const problem = authorisationProblem(authorisation, useTick(60_000))
  return (
    <>
      {problem === null ? null : <Note tone={problem.tone} title={problem.text} />}
      <Facts facts={authorisationFacts(authorisation, problem === null)} />
    </>
  )
}

function authorisationFacts(authorisation: ConnectorAuthorisation, isValid: boolean): Fact[] {
  const { TenantName, Country, Currency, EmailAddress, App, ConnectedAtUtc, DiesAtUtc } = authorisation
  const location = companyPlace(Country, Currency)
  const authorisedBy = [EmailAddress, App === null ? null : appDescriptions[App]]
    .filter((part) => part !== null)
    .join(', ')
  const facts: (readonly [string, string | null])[] = [
    ['Company', TenantName],
    ['Country and currency', location === '' ? null : location],
    ['Authorised', authorisedBy === '' ? null : authorisedBy],
    ['Since', ConnectedAtUtc === null ? null : exactTime(ConnectedAtUtc)],
    [
      'Valid until',
      DiesAtUtc === null ? null : `${exactTime(DiesAtUtc)}${isValid ? ', renewed automatically at every run' : ''}`,
    ],
  ]
  return facts.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]))
}
