/** A connector's settings at rest: every secret among them is sealed, bound to its connector, property and key. */
import type { Properties } from '@tributary/engine/source'
import type { Secrets } from './secrets.ts'
import type { Db } from './store.ts'

export interface ConnectorPlace {
  readonly organisationId: string
  readonly connectorId: string
}

/** In the place of a secret stands `{ sealed }`; no value that a person enters is an object of that form. */
export interface Sealed {
  readonly sealed: string
}

export function isSealed(value: unknown): value is Sealed {
  return typeof value === 'object' && value !== null && typeof (value as Partial<Sealed>).sealed === 'string'
}

/** The properties as stored, secrets still sealed. */
export async function readSettings(db: Db, { organisationId, connectorId }: ConnectorPlace): Promise<Properties> {
  const rows = await db
    .selectFrom('connectorProperty')
    .select(['name', 'value'])
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .orderBy('name')
    .execute()
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]))
}

/** The properties in clear, for as long as a source or a target is open or a form is checked. */
export async function openSettings(db: Db, secrets: Secrets, place: ConnectorPlace): Promise<Properties> {
  const clear: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(await readSettings(db, place))) {
    clear[name] = await transform(value, isSealed, (secret, key) => secrets.open(db, sealedAt(place, name, key), secret.sealed))
  }
  return clear
}

/** Replaces all properties; `isSecret` says which of them, or which keys of one, are sealed. */
export async function writeSettings(
  db: Db,
  secrets: Secrets,
  place: ConnectorPlace,
  { properties, isSecret }: { properties: Properties; isSecret: (name: string, key: string) => boolean },
): Promise<void> {
  await dropSettings(db, place)
  for (const [name, clear] of Object.entries(properties)) {
    const value = await transform(
      clear,
      (part, key): part is string => typeof part === 'string' && part !== '' && isSecret(name, key),
      async (secret, key): Promise<Sealed> => ({ sealed: await secrets.seal(db, sealedAt(place, name, key), secret) }),
    )
    await db
      .insertInto('connectorProperty')
      .values({ ...place, name, value: JSON.stringify(value) })
      .execute()
  }
}

/** With the properties go the credentials. */
export async function dropSettings(db: Db, { organisationId, connectorId }: ConnectorPlace): Promise<void> {
  await db.deleteFrom('connectorProperty').where('organisationId', '=', organisationId).where('connectorId', '=', connectorId).execute()
}

function sealedAt({ organisationId, connectorId }: ConnectorPlace, name: string, key: string) {
  return { organisationId, table: 'connector_property', column: 'value', row: `${connectorId}/${name}/${key}` }
}

/** Applies to the value itself (whose key is empty) or, in an object, to each of its values. */
async function transform<Part>(
  value: unknown,
  applies: (part: unknown, key: string) => part is Part,
  change: (part: Part, key: string) => Promise<unknown>,
): Promise<unknown> {
  if (applies(value, '')) return change(value, '')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const changed: Record<string, unknown> = {}
  for (const [key, part] of Object.entries(value)) changed[key] = applies(part, key) ? await change(part, key) : part
  return changed
}
