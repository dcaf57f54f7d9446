/** Licences: which bundles of streams a connector moves. */
import * as z from 'zod'
import { Licence } from './connector-catalogue.ts'
import { route } from './route.ts'
import { forSignedIn, ofConnector, ofConnectorById } from './route-parts.ts'

/** `Streams`: the names of the bundle's streams, if they are known without a connection. */
export const ConnectorLicence = Licence.extend({ Held: z.boolean(), Streams: z.array(z.string()) })
export type ConnectorLicence = z.infer<typeof ConnectorLicence>

const path = '/tributary/clients/:clientId/connectors/:connectorId/licences'

export const licences = {
  all: route({
    method: 'GET',
    path: '/tributary/clients/connectors/:connectorId/licences',
    summary: 'All licences available for this connector.',
    allow: 'seeAllLicences',
    ...ofConnectorById,
    reply: z.array(ConnectorLicence),
  }),
  held: route({
    tokenScopes: ['status.read'],
    method: 'GET',
    path,
    summary: 'The licences that the connector holds.',
    allow: 'listConnectors',
    ...ofConnector,
    reply: z.array(ConnectorLicence),
  }),
  save: route({
    method: 'POST',
    path,
    summary: 'Set the licences of the connector. It always has the Base ones.',
    allow: 'saveLicences',
    ...ofConnector,
    body: z.strictObject({ licences: z.array(z.string().min(1).max(100)).max(100) }),
    reply: z.array(ConnectorLicence),
  }),
  descriptions: route({
    method: 'GET',
    path: '/tributary/clients/connector-descriptions',
    tokenScopes: ['status.read'],
    summary: 'What each connector type is for, in a sentence.',
    ...forSignedIn,
    reply: z.array(z.object({ Id: z.uuid(), Description: z.string() })),
  }),
} as const
