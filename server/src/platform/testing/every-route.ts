/** Every route of the contract with a call that would work, so that tests can walk them all and none is forgotten. */
import { randomUUID } from 'node:crypto'
import type { Route } from '@tributary/contract/route'
import { routes } from '@tributary/contract/routes'
import * as z from 'zod'
import { trialPassword } from '../../trial/people.ts'
import type { Db } from '../store.ts'
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
export interface Things {
  readonly clientId: string
  readonly clientKey: string
  readonly connectorId: string
  readonly connectorKey: string
  readonly runId: string
  readonly name: string
}

const settings = { host: 'db.example', port: 5432, database: 'shop', user: 'reader', password: 'canary-source-password' }
const properties = [{ name: 'source.connectionString', value: settings }]

/** A body that is right in form for each route that takes one. */
export const bodies: Readonly<Record<string, unknown>> = {
  'POST /auth/signin': { emailAddress: 'user@demo.example', password: trialPassword },
  'POST /auth/refresh': {},
  'POST /auth/first-superadmin': {
    code: 'nonsense',
    emailAddress: 'first@example.com',
    password: 'a-good-one-77',
    firstName: 'Ada',
    lastName: 'First',
  },
  'POST /tributary/clients/:clientId/connectors': { type: 'postgres', name: 'A new one', properties },
  'POST /tributary/clients/:clientId/connectors/check': { type: 'postgres', properties },
  'PATCH /tributary/clients/:clientId/connectors/:connectorId': { name: 'Another name' },
  'PATCH /tributary/clients/:clientId/connectors/:connectorId/properties': properties,
  'POST /tributary/clients/:clientId/connectors/:connectorId/properties': properties,
  'PATCH /tributary/clients/:clientId/connectors/:connectorId/properties/:name': { value: 'sales' },
  'POST /tributary/clients/:clientId/connectors/:connectorId/process': { fullTransactionSync: false },
  'POST /clients/:clientKey/:connectorKey/process': { fullTransactionSync: false },
  'POST /tributary/clients/connectors/:connectorId/assign-users': { users: [] },
}

/** The address of a route with these things in it; an organisation that is asked for in the query is named there. */
export function addressOf({ route }: NamedRoute, things: Things): string {
  const path = route.path.replaceAll(/:(\w+)/gu, (_, name: string) => encodeURIComponent(things[name as keyof Things]))
  return `/api${path}${route.scope === 'query' ? `?orgId=${things.clientId}` : ''}`
}

export function paramsOf({ route }: NamedRoute): readonly string[] {
  return Object.keys(route.params?.shape ?? {})
}

export function bodyOf({ name }: NamedRoute): { readonly body?: unknown } {
  return name in bodies ? { body: bodies[name] } : {}
}

/** The names that a body must have; empty for one that is a list. */
export function requiredOf(schema: z.ZodType | undefined): readonly string[] {
  if (!(schema instanceof z.ZodObject)) return []
  return Object.entries(schema.shape)
    .filter(([, field]) => !z.safeParse(field, undefined).success)
    .map(([name]) => name)
}

/** An organisation with a connector that has a property, a member, a run with a stream, a line and a rejected row. */
export async function insertThings(
  app: TestApp,
  organisation: { readonly id: string; readonly key: string },
  userId: string,
): Promise<Things> {
  const connectorKey = `shop-${randomUUID().slice(0, 8)}`
  const ids = await app.store.within(organisation.id, (db) =>
    insertConnector(db, { organisationId: organisation.id, key: connectorKey, userId }),
  )
  return { clientId: organisation.id, clientKey: organisation.key, connectorKey, name: 'target.schema', ...ids }
}

interface Wanted {
  readonly organisationId: string
  readonly key: string
  readonly userId: string
}

async function insertConnector(db: Db, { organisationId, key, userId }: Wanted): Promise<{ connectorId: string; runId: string }> {
  const connector = { organisationId, key, type: 'postgres', name: `Shop ${key}`, originalName: `Shop ${key}` }
  const { id: connectorId } = await db.insertInto('connector').values(connector).returning('id').executeTakeFirstOrThrow()
  await db
    .insertInto('connectorProperty')
    .values({ organisationId, connectorId, name: 'target.schema', value: JSON.stringify('shop') })
    .execute()
  await db.insertInto('connectorUser').values({ organisationId, connectorId, userId }).execute()
  const run = { organisationId, connectorId, mode: 'full', trigger: 'person', triggeredBy: userId, status: 'COMPLETED' } as const
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
  return { connectorId, runId }
}
