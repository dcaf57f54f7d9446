/** A connector of three companies of the simulated Xero: one person has signed in for two of them, another one for the third. */
import { authorisations } from '@tributary/contract/authorisations'
import { expect } from 'vitest'
import type { ConsentOptions, QueryParams, XeroApp } from './xero-app.ts'

/** Returns the id of the connector. */
export async function connectByTwoSignIns(world: XeroApp): Promise<string> {
  const first = { person: 0, tenantIds: [world.tenant(0), world.tenant(1)] }
  const connectorId = (await choose(world, first, { tables: 'shared' })).at(0) ?? ''
  await choose(world, { person: 1, tenantIds: [world.tenant(2)] }, {}, { connector: connectorId })
  return connectorId
}

/** Signs in at Xero as this person and chooses the companies. Returns the ids of the connectors. */
async function choose(
  world: XeroApp,
  consent: ConsentOptions & { readonly tenantIds: string[] },
  body: object,
  query: QueryParams = {},
): Promise<readonly string[]> {
  const page = await world.authorise(await world.browserOf(), consent, query)
  const authorisationId = page.searchParams.get('authorisation') ?? ''
  const reply = await world.app.as.admin.call(authorisations.choose, {
    params: { clientId: world.app.harbour.id, authorisationId },
    body: { tenantIds: consent.tenantIds, ...body },
  })
  expect(reply.status).toBe(200)
  return reply.body.ConnectorIds
}
