/** The properties of a connector: its settings by the names of the specification, secrets masked. */
import * as z from 'zod'
import { PropertyInput } from './connector-input.ts'
import { ConnectorProperty } from './connectors.ts'
import { route } from './route.ts'
import { ofConnector } from './route-parts.ts'

const path = '/tributary/clients/:clientId/connectors/:connectorId/properties'

const one = ofConnector.params.extend({ name: z.string().max(100) })
const change = {
  allow: 'editConnector',
  ...ofConnector,
  needsFreshProof: true,
  faults: ['settingsWrong', 'secretNeeded', 'secretUnreadable'],
} as const

export const connectorProperties = {
  list: route({
    method: 'GET',
    path,
    summary: 'The connector’s properties, secrets masked.',
    allow: 'editConnector',
    ...ofConnector,
    reply: z.array(ConnectorProperty),
  }),
  set: route({
    method: 'PATCH',
    path,
    summary: 'Change some properties; those not sent stay.',
    ...change,
    body: z.array(PropertyInput).min(1).max(50),
    reply: z.array(ConnectorProperty),
  }),
  replace: route({
    method: 'POST',
    path,
    summary: 'Replace all properties.',
    ...change,
    body: z.array(PropertyInput).min(1).max(50),
    reply: z.array(ConnectorProperty),
  }),
  setOne: route({
    method: 'PATCH',
    path: `${path}/:name`,
    summary: 'Change one property.',
    ...change,
    params: one,
    body: z.strictObject({ value: z.unknown() }),
    reply: ConnectorProperty,
  }),
  removeOne: route({
    method: 'DELETE',
    path: `${path}/:name`,
    summary: 'Remove one property.',
    ...change,
    params: one,
    faults: ['settingsWrong'],
  }),
} as const
