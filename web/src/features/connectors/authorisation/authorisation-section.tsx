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
import { useOrganisationId } from '../../../api/session/workspace.ts'
import { paths } from '../../../paths.ts'
import { formatCompanyLocation } from '../../../domain/connectors/company-location.ts'
import { QueryResult } from '../../../domain/requests/query-result.tsx'
import { Callout } from '../../../ui/feedback/callout.tsx'
import { type DescriptionItem, DescriptionList } from '../../../ui/layout/panel.tsx'
import { useNow } from '../../../domain/time/use-now.ts'
import { authorisationProblem, describeAuthoriser } from './authorisation-status.ts'
import { SharedCompanies } from './shared-companies.tsx'
import { FormSection } from '../form/form-section.tsx'
import css from '../connectors.module.css'
import { formatMoment } from '../../../ui/formats.ts'

export function AuthorisationSection({ connector: { Id: connectorId, Type } }: { connector: Connector }) {
  const clientId = useOrganisationId()
  const query = useQuery(connectorAuthorisation({ clientId, connectorId }))
  return (
    <FormSection title="Authorisation">
      <QueryResult query={query}>
        {(authorisation) => (
          <>
            <AuthorisationDetails authorisation={authorisation} />
            <SharedCompanies connectorId={connectorId} companies={authorisation.Companies} />
          </>
        )}
      </QueryResult>
      <Button component={Link} to={paths.reconnect(Type, connectorId)} variant="default" className={css.begin}>
        {(query.data?.Companies.length ?? 0) > 0 ? 'Reconnect or add companies' : 'Reconnect'}
      </Button>
    </FormSection>
  )
}

function AuthorisationDetails({ authorisation }: { authorisation: ConnectorAuthorisation }) {
  const problem = authorisationProblem(authorisation, useNow(60_000))
  return (
    <>
      {problem === null ? null : <Callout tone={problem.tone} title={problem.text} />}
      <DescriptionList items={authorisationFacts(authorisation, problem === null)} />
    </>
  )
}

function authorisationFacts(authorisation: ConnectorAuthorisation, isValid: boolean): DescriptionItem[] {
  const { Companies, TenantName, Country, Currency, ConnectedAtUtc, DiesAtUtc } = authorisation
  const isShared = Companies.length > 0
  const facts: (readonly [string, string | null])[] = [
    ['Company', isShared ? null : TenantName],
    ['Country and currency', isShared ? null : formatCompanyLocation(Country, Currency)],
    ['Authorised', describeAuthoriser(authorisation)],
    ['Since', ConnectedAtUtc === null ? null : formatMoment(ConnectedAtUtc, 'exact')],
    [
      'Valid until',
      DiesAtUtc === null
        ? null
        : `${formatMoment(DiesAtUtc, 'exact')}${isValid ? ', renewed automatically at every run' : ''}`,
    ],
  ]
  return facts.flatMap(([label, value]) => (value === null || value === '' ? [] : [{ label, value }]))
}
