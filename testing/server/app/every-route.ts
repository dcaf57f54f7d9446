/** Every route of the contract with a call that would work, so that tests can walk them all and none is forgotten. */
import { randomUUID } from 'node:crypto'
import type { Route } from '@tributary/contract/route'
import { routes } from '@tributary/contract/routes'
import { scopeParams } from '@tributary/contract/scope'
import * as z from 'zod'
import type { Db } from '../../../server/src/kernel/store/store.ts'
import { roleIdOf } from './fixed-ids.ts'
import { insertAccounting, insertToken } from '../connectors/accounting-fixtures.ts'
import { insertAuthorisation } from '../connectors/authorisation-fixtures.ts'
import { insertLoad, loadQueries, type LoadThings } from '../excel/load-fixtures.ts'
import { bodies } from './sample-bodies.ts'
import { insertStructure, structureNames, type StructureThings } from '../excel/structure-fixtures.ts'
import type { TestApp } from './test-app.ts'

export interface NamedRoute {
  /** `POST /auth/signin` */
  readonly name: string
  readonly route: Route
}

export const everyRoute: readonly NamedRoute[] = Object.values(routes).flatMap((noun) =>
  Object.values<Route>(noun).map((route) => ({ name: `${route.method} ${route.path}`, route })),
)

/** The things of one organisation that a call can name. */
export interface Things extends StructureThings, LoadThings {
  readonly clientId: string
  readonly clientKey: string
  readonly connectorId: string
  readonly connectorKey: string
  readonly runId: string
  /** Of an accounting source; it belongs to no organisation. */
  readonly tokenId: string
  /** A trip to a source, and an app of the organisation's own there. */
  readonly authorisationId: string
  readonly appId: string
  readonly name: string
  /** A member, and what is theirs alone: not even their administrators may touch it. */
  readonly userId: string
  readonly deviceId: string
  readonly passkeyId: string
  readonly sessionId: string
  readonly invitationId: string
  readonly approvalId: string
  readonly provider: string
}

/** What a query must name. */
const queries: Readonly<Record<string, string>> = {
  'GET /tributary/clients/:clientId/schedule': '?cron=0%206%20*%20*%201-5',
  'GET /tributary/clients/:clientId/connectors/:connectorId/tie-out/lines': '?period=2026-10-01',
  'GET /tributary/clients/:clientId/connectors/:connectorId/tie-out/documents': '?period=2026-10-01&accountId=sales',
  'GET /registration/verify': '?emailAddress=newcomer%40example.com',
  'GET /registration/finalise': '?code=nonsense',
  'GET /reset-password/validate': '?token=nonsense',
}

/** The address of a route with these things in it; an organisation that is asked for in the query is named there. */
export function addressOf({ name, route }: NamedRoute, things: Things): string {
  const path = route.path.replaceAll(/:(\w+)/gu, (_, param: string) =>
    encodeURIComponent(things[param as keyof Things]),
  )
  return `/api${path}${scopeOf(route) === 'query' ? `?orgId=${things.clientId}${loadQueries[name] ?? ''}` : (queries[name] ?? '')}`
}

/** How a call names its organisation: by its id in the path (`client`), by its key, in the query or the body, or by a row that belongs to it. */
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

/** The sample, in which the organisation, approval or records that are asked for in the body are those of these things. */
export function bodyOf(named: NamedRoute, things: Things): { readonly body?: unknown } {
  const { name, route } = named
  const sample = bodies[name]
  if (sample === undefined || Array.isArray(sample)) return sample === undefined ? {} : { body: sample }
  const records = Object.fromEntries(recordsIn(named).map((record) => [record, things[record]]))
  const [field] = scopeParams(route.scope)
  const organisation = field !== undefined && scopeOf(route) === 'body' ? { [field.param]: things.clientId } : {}
  const approval = scopeOf(route) === 'approval' ? { approvalId: things.approvalId } : {}
  return { body: { ...sample, ...records, ...organisation, ...approval } }
}

/** The records of the planning structure that the sample names. */
function recordsIn({ name }: NamedRoute): readonly (keyof StructureThings)[] {
  return structureNames.filter((record) => record in Object(bodies[name]))
}

/** Every name by which a call reaches something: in its path, its query or its body. */
export function namesIn(named: NamedRoute): readonly string[] {
  const scope = scopeOf(named.route)
  const elsewhere = scope === 'query' || scope === 'body' ? ['clientId'] : scope === 'approval' ? ['approvalId'] : []
  return [...paramsOf(named), ...recordsIn(named), ...elsewhere]
}

/** The names that a body must have; empty for one that is a list. */
export function requiredOf(schema: z.ZodType | undefined): readonly string[] {
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape)
    .filter(([, field]) => !z.safeParse(field, undefined).success)
    .map(([name]) => name)
}

/**
 * An organisation with a connector that has a property, a member, a licence, an incident, and a run with a stream, a line and a rejected row; another
 * member with a session, a device and a passkey; an invitation, a request to join and a planning structure.
 */
export async function insertThings(
  app: TestApp,
  organisation: { readonly id: string; readonly key: string },
  userId: string,
): Promise<Things> {
  const connectorKey = `shop-${randomUUID().slice(0, 8)}`
  const organisationId = organisation.id
  // A load is shown to whoever made it, who must be somebody that may load.
  const loader = organisationId === app.harbour.id ? app.idOf('user') : userId
  const ids = await app.store.within(organisationId, async (db) => ({
    ...(await insertConnector(db, { organisationId, key: connectorKey, userId })),
    ...(await insertMember(db, organisationId)),
    ...(await insertRequests(db, organisationId, userId)),
    ...(await insertStructure(db, organisationId)),
    ...(await insertLoad(db, organisationId, loader)),
    ...(await insertAuthorisation(db, organisationId, userId)),
  }))
  // Across: a grant belongs to no organisation.
  const tokenId = await app.store.across(insertToken)
  return {
    clientId: organisationId,
    clientKey: organisation.key,
    connectorKey,
    name: 'target.schema',
    provider: 'microsoft',
    tokenId,
    ...ids,
  }
}

interface Wanted {
  readonly organisationId: string
  readonly key: string
  readonly userId: string
}

async function insertConnector(
  db: Db,
  { organisationId, key, userId }: Wanted,
): Promise<{ connectorId: string; runId: string }> {
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
  await insertAround(db, { organisationId, connectorId, runId })
  return { connectorId, runId }
}

/** What is known of the connector beside its runs. */
async function insertAround(
  db: Db,
  ids: { readonly organisationId: string; readonly connectorId: string; readonly runId: string },
) {
  const { organisationId, connectorId } = ids
  await db.insertInto('connectorLicence').values({ organisationId, connectorId, licence: 'Extra' }).execute()
  await db
    .insertInto('connectorStream')
    .values({ ...ids, name: 'orders', tableName: 'orders', licence: 'Base', reads: 'whole' })
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
