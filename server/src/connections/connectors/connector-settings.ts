/** A connector's settings at rest: every secret among them is sealed, bound to its connector, property and key. */
import type { Properties } from '@tributary/engine/ports/source'
import { openReadableOr, type Place, type Secrets } from '../../security/secrets/secrets.ts'
import type { Db } from '../../kernel/store/store.ts'

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
  return openEach(db, place, (secret, at) => secrets.open(db, at, secret.sealed))
}

/** The same for a form, in which what cannot be read may be entered again: until then it stays as it is stored. */
export async function openReadable(db: Db, secrets: Secrets, place: ConnectorPlace): Promise<Properties> {
  return openEach(db, place, (secret, at) => openReadableOr(secret, () => secrets.open(db, at, secret.sealed)))
}

async function openEach(
  db: Db,
  place: ConnectorPlace,
  open: (secret: Sealed, at: Place) => Promise<string | Sealed>,
): Promise<Properties> {
  const opened: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(await readSettings(db, place)))
    opened[name] = await transform(value, isSealed, (secret, key) => open(secret, sealedAt(place, name, key)))
  return opened
}

/** The value of a property with each of its secrets sealed anew, by the key that seals today. */
export function resealValue(
  db: Db,
  secrets: Secrets,
  place: ConnectorPlace,
  { name, value }: { readonly name: string; readonly value: unknown },
): Promise<unknown> {
  return transform(value, isSealed, async (secret, key): Promise<Sealed> => {
    const at = sealedAt(place, name, key)
    return { sealed: await secrets.seal(db, at, await secrets.open(db, at, secret.sealed)) }
  })
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

/** With the properties go the credentials. @param kept names of properties that stay. */
export async function dropSettings(
  db: Db,
  { organisationId, connectorId }: ConnectorPlace,
  kept: readonly string[] = [],
): Promise<void> {
  await db
    .deleteFrom('connectorProperty')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .$if(kept.length > 0, (query) => query.where('name', 'not in', [...kept]))
    .execute()
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
