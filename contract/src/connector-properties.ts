/** The properties of a connector: its settings by the names of the specification, secrets masked. */
import * as z from 'zod'
import { PropertyInput } from './connector-input.ts'
import { ConnectorProperty, oneConnector as one } from './connectors.ts'
import { route } from './route.ts'
import { clientInPath } from './scope.ts'

const path = '/tributary/clients/:clientId/connectors/:connectorId/properties'

export const connectorProperties = {
  list: route({
    method: 'GET',
    path: path,
    summary: 'The connector’s properties, secrets masked.',
    allow: 'editConnector',
    scope: clientInPath,
    params: one,
    reply: z.array(ConnectorProperty),
  }),
  set: route({
    method: 'PATCH',
    path: path,
    summary: 'Change some properties; those not sent stay.',
    allow: 'editConnector',
    scope: clientInPath,
    needsFreshProof: true,
    params: one,
    body: z.array(PropertyInput).min(1).max(50),
    reply: z.array(ConnectorProperty),
    faults: ['settingsWrong', 'secretNeeded', 'secretUnreadable'],
  }),
  replace: route({
    method: 'POST',
    path: path,
    summary: 'Replace all properties.',
    allow: 'editConnector',
    scope: clientInPath,
    needsFreshProof: true,
    params: one,
    body: z.array(PropertyInput).min(1).max(50),
    reply: z.array(ConnectorProperty),
    faults: ['settingsWrong', 'secretNeeded', 'secretUnreadable'],
  }),
  setOne: route({
    method: 'PATCH',
    path: `${path}/:name`,
    summary: 'Change one property.',
    allow: 'editConnector',
    scope: clientInPath,
    needsFreshProof: true,
    params: one.extend({ name: z.string().max(100) }),
    body: z.strictObject({ value: z.unknown() }),
    reply: ConnectorProperty,
    faults: ['settingsWrong', 'secretNeeded', 'secretUnreadable'],
  }),
  removeOne: route({
    method: 'DELETE',
    path: `${path}/:name`,
    summary: 'Remove one property.',
    allow: 'editConnector',
    scope: clientInPath,
    needsFreshProof: true,
    params: one.extend({ name: z.string().max(100) }),
    faults: ['settingsWrong'],
  }),
} as const
