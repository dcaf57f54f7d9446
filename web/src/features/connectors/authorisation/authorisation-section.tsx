/** In place of the source's settings, where people sign in at the source: how this connector does, and the way to do it anew. */
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
import { appNames, endWords } from './authorisation-status.ts'
import css from '../connectors.module.css'

export function AuthorisationSection({ connector: { Id: connectorId, Type } }: { connector: Connector }) {
  const clientId = useWorkspace().organisation.Id
  const query = useQuery(connectorAuthorisation({ clientId, connectorId }))
  return (
    <section className={css.section} aria-labelledby="authorisation">
      <h3 className={css.heading} id="authorisation">
        Authorisation
      </h3>
      <Loaded query={query}>{(authorisation) => <Told authorisation={authorisation} />}</Loaded>
      <Button component={Link} to={paths.reconnect(Type, connectorId)} variant="default" className={css.begin}>
        Reconnect
      </Button>
    </section>
  )
}

function Told({ authorisation }: { authorisation: ConnectorAuthorisation }) {
  const end = endWords(authorisation, useTick(60_000))
  return (
    <>
      {end === null ? null : <Note tone={end.tone} title={end.text} />}
      <Facts facts={factsOf(authorisation, end === null)} />
    </>
  )
}

function factsOf(authorisation: ConnectorAuthorisation, isWell: boolean): Fact[] {
  const { TenantName, Country, Currency, EmailAddress, App, ConnectedAtUtc, DiesAtUtc } = authorisation
  const place = companyPlace(Country, Currency)
  const by = [EmailAddress, App === null ? null : appNames[App]].filter((part) => part !== null).join(', ')
  const facts: (readonly [string, string | null])[] = [
    ['Company', TenantName],
    ['Country and currency', place === '' ? null : place],
    ['Authorised', by === '' ? null : by],
    ['Since', ConnectedAtUtc === null ? null : exactTime(ConnectedAtUtc)],
    [
      'Holds until',
      DiesAtUtc === null ? null : `${exactTime(DiesAtUtc)}${isWell ? ', renewed by itself at every run' : ''}`,
    ],
  ]
  return facts.flatMap(([label, value]) => (value === null ? [] : [{ label, value }]))
}
