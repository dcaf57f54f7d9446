/** Every route of the contract with a valid call, so that tests can iterate over all of them. */
import { randomUUID } from 'node:crypto'
import type { Route } from '@tributary/contract/route'
import { routes } from '@tributary/contract/routes'
import { scopeParams } from '@tributary/contract/scope'
import * as z from 'zod'
import type { Db } from '../../../server/src/kernel/store/store.ts'
import { roleIdOf } from './fixed-ids.ts'
import { insertAccounting, insertToken } from '../connectors/accounting-fixtures.ts'
import { ordersStructure } from '../connectors/orders-structure.ts'
import { insertServiceAccount } from '../identity/token-fixtures.ts'
import { insertAuthorisation } from '../connectors/authorisation-fixtures.ts'
import { insertLoad, loadQueries, type LoadFixtures } from '../excel/load-fixtures.ts'
import { bodies } from './sample-bodies.ts'
import { sampleQueries } from './sample-queries.ts'
import { insertTrust, type TrustFixtures } from '../connectors/trust-fixtures.ts'
import { insertStructure, structureNames, type StructureFixtures } from '../excel/structure-fixtures.ts'
import type { TestApp } from './test-app.ts'

export interface NamedRoute {
  /** `POST /auth/signin` */
  readonly name: string
  readonly route: Route
}

export const everyRoute: readonly NamedRoute[] = Object.values(routes).flatMap((noun) =>
  Object.values<Route>(noun).map((route) => ({ name: `${route.method} ${route.path}`, route })),
)

/** Records of one organisation, by the parameter names of calls. */
export interface RouteFixtures extends StructureFixtures, LoadFixtures, TrustFixtures {
  readonly clientId: string
  readonly clientKey: string
  readonly connectorId: string
  readonly connectorKey: string
  readonly runId: string
  /** A token of an accounting source; it belongs to no organisation. */
  readonly tokenId: string
  /** A description of the provider's workbench; it belongs to no organisation. */
  readonly descriptionId: string
  /** An OAuth flow to a source, and the organisation's own OAuth app there. */
  readonly authorisationId: string
  readonly appId: string
  readonly name: string
  /** A member, followed by records that only the member may change, not even their administrators. */
  readonly userId: string
  readonly deviceId: string
  readonly passkeyId: string
  readonly sessionId: string
  readonly invitationId: string
  readonly approvalId: string
  readonly provider: string
  /** An alert channel of the organisation. */
  readonly channelId: string
  /** A service account of the organisation with an access token. */
  readonly serviceAccountId: string
  readonly accessTokenId: string
  /** A table that is not in the warehouse. */
  readonly schema: string
  readonly table: string
  readonly sourceType: string
  /** A saved query that is shared. */
  readonly queryId: string
}

/** Required parameters in addition to the organisation in the query. */
const furtherQueries: Readonly<Record<string, string>> = { ...loadQueries, 'GET /search': '&search=o' }

export function addressOf({ name, route }: NamedRoute, things: RouteFixtures): string {
  const path = route.path.replaceAll(/:(\w+)/gu, (_, param: string) =>
    encodeURIComponent(things[param as keyof RouteFixtures]),
  )
  return `/api${path}${scopeOf(route) === 'query' ? `?orgId=${things.clientId}${furtherQueries[name] ?? ''}` : (sampleQueries[name] ?? '')}`
}

/**
 * How a call names its organisation: by its id in the path (`client`), by its key, in the query or the body, or by a
 * record that belongs to it.
 */
export function scopeOf({
  scope,
}: Route): 'none' | 'client' | 'clientKey' | 'query' | 'body' | 'approval' | 'connector' | 'record' {
  const [first] = scopeParams(scope)
  if (first === undefined) return 'none'
  const { from, table, isKey } = first
  if (table === 'approval' || table === 'connector') return table
  if (table !== 'organisation') return 'record'
  return from === 'path' ? (isKey === true ? 'clientKey' : 'client') : from
}

export function paramsOf({ route }: NamedRoute): readonly string[] {
  return Object.keys(route.params?.shape ?? {})
}

/** The sample body of a route, with the ids of these records. */
export function bodyOf(named: NamedRoute, things: RouteFixtures): { readonly body?: unknown } {
  const { name, route } = named
  const sample = bodies[name]
  if (sample === undefined || Array.isArray(sample)) return sample === undefined ? {} : { body: sample }
  const records = Object.fromEntries(recordsIn(named).map((record) => [record, things[record]]))
  const [field] = scopeParams(route.scope)
  const organisation = field !== undefined && scopeOf(route) === 'body' ? { [field.param]: things.clientId } : {}
  const approval = scopeOf(route) === 'approval' ? { approvalId: things.approvalId } : {}
  return { body: { ...sample, ...records, ...organisation, ...approval } }
}

/** The records of the planning structure that the sample body contains. */
function recordsIn({ name }: NamedRoute): readonly (keyof StructureFixtures)[] {
  return structureNames.filter((record) => record in Object(bodies[name]))
}

/** The names of all record ids in the path, the query and the body of a call. */
export function namesIn(named: NamedRoute): readonly string[] {
  const scope = scopeOf(named.route)
  const elsewhere = scope === 'query' || scope === 'body' ? ['clientId'] : scope === 'approval' ? ['approvalId'] : []
  return [...paramsOf(named), ...recordsIn(named), ...elsewhere]
}

/** The names of the required fields of a body; empty for a list. */
export function requiredOf(schema: z.ZodType | undefined): readonly string[] {
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape)
    .filter(([, field]) => !z.safeParse(field, undefined).success)
    .map(([name]) => name)
}

/**
 * Inserts a connector with a property, a member, a licence, an incident, and a run with a stream, a log line and a
 * rejected row; another member with a session, a device and a passkey; an invitation, a request to join and a planning
 * structure.
 */
export async function insertFixtures(
  app: TestApp,
  organisation: { readonly id: string; readonly key: string },
  userId: string,
): Promise<RouteFixtures> {
  const connectorKey = `shop-${randomUUID().slice(0, 8)}`
  const organisationId = organisation.id
  // A load is visible only to its author, who must have the permission to load.
  const loader = organisationId === app.harbour.id ? app.idOf('user') : userId
  const ids = await app.store.within(organisationId, async (db) => ({
    ...(await insertConnector(db, { organisationId, key: connectorKey, userId })),
    ...(await insertMember(db, organisationId)),
    ...(await insertServiceAccount(db, organisationId)),
    ...(await insertRequests(db, organisationId, userId)),
    ...(await insertStructure(db, organisationId)),
    ...(await insertLoad(db, organisationId, loader)),
    ...(await insertAuthorisation(db, organisationId, userId)),
  }))
  // Across organisations, because a grant belongs to none.
  const tokenId = await app.store.across(insertToken)
  const descriptionId = await app.store.across(insertDescription)
  return {
    clientId: organisationId,
    clientKey: organisation.key,
    connectorKey,
    name: 'target.schema',
    provider: 'microsoft',
    schema: 'shop',
    table: 'nothing',
    sourceType: 'cin7',
    tokenId,
    descriptionId,
    ...ids,
  }
}

async function insertDescription(db: Db): Promise<string> {
  const values = { name: `Orchard ${randomUUID()}`, text: 'engine: rest', changedBy: null }
  const { id } = await db.insertInto('workbenchDescription').values(values).returning('id').executeTakeFirstOrThrow()
  return id
}

interface ConnectorFixture {
  readonly organisationId: string
  readonly key: string
  readonly userId: string
}

async function insertConnector(
  db: Db,
  { organisationId, key, userId }: ConnectorFixture,
): Promise<TrustFixtures & { connectorId: string; runId: string; channelId: string; queryId: string }> {
  const connector = { organisationId, key, type: 'postgres', name: `Shop ${key}`, originalName: `Shop ${key}` }
  const { id: connectorId } = await db
    .insertInto('connector')
    .values(connector)
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('connectorProperty')
    .values({ organisationId, connectorId, name: 'target.schema', value: JSON.stringify('shop') })
    .execute()
  await db.insertInto('connectorUser').values({ organisationId, connectorId, userId }).execute()
  const run = {
    organisationId,
    connectorId,
    mode: 'full',
    trigger: 'person',
    triggeredBy: userId,
    status: 'COMPLETED',
  } as const
  const { id: runId } = await db.insertInto('run').values(run).returning('id').executeTakeFirstOrThrow()
  await db
    .insertInto('runStream')
    .values({ organisationId, runId, name: 'orders', ordinal: 0, tableName: 'orders', phase: 'done' })
    .execute()
  await db.insertInto('runLine').values({ organisationId, runId, level: 'info', text: 'a line' }).execute()
  await db
    .insertInto('runRejected')
    .values({ organisationId, runId, tableName: 'orders', reason: 'too long', row: JSON.stringify({ id: '1' }) })
    .execute()
  await insertConnectorDetails(db, { organisationId, connectorId, runId })
  const channelId = await insertChannel(db, organisationId)
  const proofs = await insertTrust(db, { organisationId, connectorId, runId, userId })
  return { connectorId, runId, channelId, queryId: await insertQuery(db, organisationId, userId), ...proofs }
}

async function insertQuery(db: Db, organisationId: string, userId: string): Promise<string> {
  const query = { organisationId, userId, name: 'Sales', statement: 'SELECT 1', isShared: true }
  const { id } = await db.insertInto('savedQuery').values(query).returning('id').executeTakeFirstOrThrow()
  return id
}

async function insertConnectorDetails(
  db: Db,
  ids: { readonly organisationId: string; readonly connectorId: string; readonly runId: string },
) {
  const { organisationId, connectorId } = ids
  await db.insertInto('connectorLicence').values({ organisationId, connectorId, licence: 'Extra' }).execute()
  await db
    .insertInto('connectorStream')
    .values({
      ...ids,
      name: 'orders',
      tableName: 'orders',
      licence: 'Base',
      reads: 'whole',
      structure: ordersStructure,
    })
    .execute()
  const change = {
    stream: 'orders',
    tableName: 'orders',
    columnName: 'note',
    after: 'Text',
    status: 'PENDING',
  } as const
  await db
    .insertInto('schemaChange')
    .values({ ...ids, ...change })
    .execute()
  const closed = { kind: 'settings', notice: 'The source could not be reached.', closedAt: new Date() }
  const { id: incidentId } = await db
    .insertInto('incident')
    .values({ ...ids, ...closed })
    .returning('id')
    .executeTakeFirstOrThrow()
  await insertAccounting(db, ids)
  await db.insertInto('webhookDelivery').values({ organisationId, incidentId, event: 'opened', body: '{}' }).execute()
}

async function insertChannel(db: Db, organisationId: string): Promise<string> {
  const channel = { service: 'slack', name: 'Data team', address: 'sealed', frequency: 'never', hour: 8 } as const
  const { id: channelId } = await db
    .insertInto('alertChannel')
    .values({ ...channel, organisationId, origin: 'https://hooks.slack.com' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db.insertInto('alertDelivery').values({ organisationId, channelId, event: 'digest', body: '{}' }).execute()
  return channelId
}

const roleId = roleIdOf('user')

async function insertMember(db: Db, organisationId: string) {
  const unique = randomUUID()
  const person = { firstName: 'Mara', lastName: 'Member', emailAddress: `member-${unique}@harbour-or-summit.example` }
  const { id: userId } = await db.insertInto('portalUser').values(person).returning('id').executeTakeFirstOrThrow()
  await db.insertInto('membership').values({ organisationId, userId, roleId }).execute()
  const device = { userId, tokenHash: Buffer.from(unique), description: 'Firefox on Windows' }
  const { id: deviceId } = await db.insertInto('device').values(device).returning('id').executeTakeFirstOrThrow()
  const passkey = { userId, credentialId: unique, publicKey: Buffer.from('key'), counter: 0, name: 'A key' }
  const { id: passkeyId } = await db.insertInto('passkey').values(passkey).returning('id').executeTakeFirstOrThrow()
  const session = { userId, organisationId, refreshHash: Buffer.from(unique) }
  const { id: sessionId } = await db.insertInto('session').values(session).returning('id').executeTakeFirstOrThrow()
  return { userId, deviceId, passkeyId, sessionId }
}

async function insertRequests(db: Db, organisationId: string, invitedBy: string) {
  const emailAddress = `asked-${randomUUID()}@example.com`
  const person = { firstName: 'Anton', lastName: 'Asked', emailAddress }
  const { id: invitationId } = await db
    .insertInto('invitation')
    .values({ ...person, organisationId, roleId, invitedBy })
    .returning('id')
    .executeTakeFirstOrThrow()
  const { id: registrationId } = await db
    .insertInto('registration')
    .values({ ...person, companyName: 'An organisation' })
    .returning('id')
    .executeTakeFirstOrThrow()
  const context = JSON.stringify({ Description: 'Anton Asked wants to join.' })
  const { id: approvalId } = await db
    .insertInto('approval')
    .values({ organisationId, registrationId, type: 'JOIN_ORGANISATION', context })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { invitationId, approvalId }
}
