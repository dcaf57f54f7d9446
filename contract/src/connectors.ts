/** Connectors: what an organisation has connected, the properties of each, and who sees it. */
import * as z from 'zod'
import { ConnectorType } from './catalogue.ts'
import { Id } from './id.ts'
import { nameMax } from './limits.ts'
import { route } from './route.ts'

const time = z.iso.datetime()
export const ConnectorLog = z.object({
  ManuallyTriggeredAtUtc: time.nullable(),
  AutomaticallyTriggeredAtUtc: time.nullable(),
  CompletedAtUtc: time.nullable(),
  HasError: z.boolean(),
  Forbidden: z.boolean(),
  /** The run this log tells of, and what went wrong in it, in words. */
  RunId: z.uuid(),
  Notice: z.string().nullable(),
})

/** Name is one of the specification's (`portal.user`, `target.schema`, `source.connectionString`, `cin7.accountId` …); a secret in Value is masked. */
export const ConnectorProperty = z.object({ Name: z.string(), Value: z.unknown(), ClientConnectorId: z.uuid() })
export type ConnectorProperty = z.infer<typeof ConnectorProperty>

export const Connector = z.object({
  Id: z.uuid(),
  Key: z.string(),
  Name: z.string(),
  OriginalName: z.string(),
  Type: z.string(),
  Status: z.enum(['CONNECTED', 'DISCONNECTED', 'DELETED']),
  Schedule: z.string().nullable(),
  NextRunAtUtc: time.nullable(),
  Client: z.object({ Key: z.string() }),
  SourceConnectorId: z.uuid(),
  Properties: z.array(ConnectorProperty),
  Log: ConnectorLog.nullable(),
  Licences: z.array(z.object({ Id: z.string(), Base: z.boolean() })),
})
export type Connector = z.infer<typeof Connector>

export const PropertyInput = z.strictObject({ name: z.string().min(1).max(100), value: z.unknown() })
const name = z.string().trim().min(1).max(nameMax)
/** Five-field cron in the organisation's time zone; null or empty runs by hand only. */
const schedule = z.string().trim().max(100).nullable()

export const ConnectorInput = z.strictObject({
  type: z.string().min(1).max(50),
  name,
  schedule: schedule.optional(),
  properties: z.array(PropertyInput).max(50),
})
export type ConnectorInput = z.infer<typeof ConnectorInput>
export const ConnectorPatch = z.strictObject({
  name: name.optional(),
  schedule: schedule.optional(),
  status: z.enum(['CONNECTED']).optional(),
  properties: z.array(PropertyInput).max(50).optional(),
})
export type ConnectorPatch = z.infer<typeof ConnectorPatch>

export const CheckResult = z.object({
  Side: z.enum(['source', 'target']),
  Name: z.string(),
  Outcome: z.enum(['passed', 'failed', 'skipped']),
  Notice: z.string().nullable(),
})
export type CheckResult = z.infer<typeof CheckResult>

export const Insight = z.object({
  ClientName: z.string(),
  ClientConnectorName: z.string(),
  ClientConnectorId: z.uuid(),
  AutomaticallyTriggeredAtUtc: time.nullable(),
  ManuallyTriggeredAtUtc: time.nullable(),
})
export type Insight = z.infer<typeof Insight>

const client = z.object({ clientId: Id })
const one = z.object({ clientId: Id, connectorId: Id })
const keyed = z.object({ clientKey: z.string().max(100), connectorKey: z.string().max(100) })
export const Started = z.object({ statusCode: z.number().int(), message: z.string(), RunId: z.uuid() })
const Process = z.strictObject({ fullTransactionSync: z.boolean().default(false) })
const clients = '/tributary/clients'
const detail = z.strictObject({ excludeProperties: z.stringbool().default(false) })

export const connectors = {
  allTypes: route({
    method: 'GET',
    path: `${clients}/connector-types`,
    summary: 'The catalogue: every connector type that can be added.',
    allow: 'signedIn',
    scope: 'none',
    reply: z.array(ConnectorType),
  }),
  types: route({
    method: 'GET',
    path: `${clients}/:clientId/connector-types`,
    summary: 'The connector types of which the organisation has connectors that the caller may see.',
    allow: 'listConnectors',
    scope: 'client',
    params: client,
    reply: z.array(ConnectorType),
  }),
  list: route({
    method: 'GET',
    path: `${clients}/:clientId/connectors`,
    summary: 'The organisation’s connectors by name; those who are not administrators see the ones they are assigned to.',
    allow: 'listConnectors',
    scope: 'client',
    passive: true,
    params: client,
    query: z.strictObject({ type: z.string().max(50).optional() }),
    reply: z.array(Connector),
  }),
  create: route({
    method: 'POST',
    path: `${clients}/:clientId/connectors`,
    summary: 'Add a connector.',
    allow: 'addConnector',
    scope: 'client',
    params: client,
    body: ConnectorInput,
    reply: Connector,
    status: 201,
    faults: ['nameTaken', 'settingsWrong'],
  }),
  check: route({
    method: 'POST',
    path: `${clients}/:clientId/connectors/check`,
    summary: 'Test a connection before it is saved: named checks of the source and of the target.',
    allow: 'addConnector',
    scope: 'client',
    params: client,
    body: z.strictObject({ type: z.string().min(1).max(50), connectorId: Id.optional(), properties: z.array(PropertyInput).max(50) }),
    reply: z.array(CheckResult),
    faults: ['settingsWrong', 'secretNeeded', 'tooMany'],
  }),
  read: route({
    method: 'GET',
    path: `${clients}/:clientId/connectors/:connectorId`,
    summary: 'One connector.',
    allow: 'listConnectors',
    scope: 'client',
    params: one,
    query: detail,
    reply: Connector,
  }),
  find: route({
    method: 'GET',
    path: `${clients}/connectors/:connectorId`,
    summary: 'One connector by its id alone.',
    allow: 'listConnectors',
    scope: 'connector',
    params: z.object({ connectorId: Id }),
    query: detail,
    reply: Connector,
  }),
  change: route({
    method: 'PATCH',
    path: `${clients}/:clientId/connectors/:connectorId`,
    summary: 'Rename, reschedule, reconnect or change the settings. A secret sent as the mask keeps its value.',
    allow: 'editConnector',
    scope: 'client',
    params: one,
    body: ConnectorPatch,
    reply: Connector,
    faults: ['nameTaken', 'settingsWrong', 'secretNeeded'],
  }),
  remove: route({
    method: 'DELETE',
    path: `${clients}/:clientId/connectors/:connectorId`,
    summary: 'Delete a connector: its credentials go, its history and its rows stay.',
    allow: 'deleteConnector',
    scope: 'client',
    params: one,
  }),
  disconnect: route({
    method: 'DELETE',
    path: '/clients/:clientKey/:connectorKey',
    summary: 'Disconnect: the credentials go, the schedule stops, history and rows stay.',
    allow: 'disconnectConnector',
    scope: 'clientKey',
    params: keyed,
  }),
  properties: route({
    method: 'GET',
    path: `${clients}/:clientId/connectors/:connectorId/properties`,
    summary: 'The connector’s properties, secrets masked.',
    allow: 'editConnector',
    scope: 'client',
    params: one,
    reply: z.array(ConnectorProperty),
  }),
  setProperties: route({
    method: 'PATCH',
    path: `${clients}/:clientId/connectors/:connectorId/properties`,
    summary: 'Change some properties; those not sent stay.',
    allow: 'editConnector',
    scope: 'client',
    params: one,
    body: z.array(PropertyInput).min(1).max(50),
    reply: z.array(ConnectorProperty),
    faults: ['settingsWrong', 'secretNeeded'],
  }),
  replaceProperties: route({
    method: 'POST',
    path: `${clients}/:clientId/connectors/:connectorId/properties`,
    summary: 'Replace all properties.',
    allow: 'editConnector',
    scope: 'client',
    params: one,
    body: z.array(PropertyInput).min(1).max(50),
    reply: z.array(ConnectorProperty),
    faults: ['settingsWrong', 'secretNeeded'],
  }),
  setProperty: route({
    method: 'PATCH',
    path: `${clients}/:clientId/connectors/:connectorId/properties/:name`,
    summary: 'Change one property.',
    allow: 'editConnector',
    scope: 'client',
    params: one.extend({ name: z.string().max(100) }),
    body: z.strictObject({ value: z.unknown() }),
    reply: ConnectorProperty,
    faults: ['settingsWrong', 'secretNeeded'],
  }),
  removeProperty: route({
    method: 'DELETE',
    path: `${clients}/:clientId/connectors/:connectorId/properties/:name`,
    summary: 'Remove one property.',
    allow: 'editConnector',
    scope: 'client',
    params: one.extend({ name: z.string().max(100) }),
    faults: ['settingsWrong'],
  }),
  process: route({
    method: 'POST',
    path: `${clients}/:clientId/connectors/:connectorId/process`,
    summary: 'Start a run, incremental unless fullTransactionSync is true.',
    allow: 'refreshConnector',
    scope: 'client',
    params: one,
    body: Process,
    reply: Started,
    status: 202,
    faults: ['alreadyRunning', 'notConnected'],
  }),
  processByKey: route({
    method: 'POST',
    path: '/clients/:clientKey/:connectorKey/process',
    summary: 'Start a run, addressed by keys.',
    allow: 'refreshConnector',
    scope: 'clientKey',
    params: keyed,
    body: Process,
    reply: Started,
    status: 202,
    faults: ['alreadyRunning', 'notConnected'],
  }),
  assignUsers: route({
    method: 'POST',
    path: `${clients}/connectors/:connectorId/assign-users`,
    summary: 'Say which members of the organisation see the connector; replaces the former list.',
    allow: 'assignConnectorUsers',
    scope: 'connector',
    params: z.object({ connectorId: Id }),
    body: z.strictObject({ users: z.array(Id).max(10_000) }),
    reply: Connector,
  }),
  insights: route({
    method: 'GET',
    path: '/tributary/connectors/insights',
    summary: 'The connectors that are running now, of every organisation the caller may see.',
    allow: 'seeInsights',
    scope: 'none',
    passive: true,
    reply: z.array(Insight),
  }),
} as const
