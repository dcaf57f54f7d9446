/** Secrets inside the values of connector properties: each is sealed, bound to its connector, property and key. */
import type { Db } from '../../kernel/store/store.ts'
import type { SecretLocation } from '../../kernel/store/secret-unreadable.ts'
import type { Secrets } from './secrets.ts'

/** Replaces a secret in a stored value. No value that a person enters is an object of this form. */
export interface SealedSecret {
  readonly sealed: string
}

export function isSealedSecret(value: unknown): value is SealedSecret {
  return typeof value === 'object' && value !== null && typeof (value as Partial<SealedSecret>).sealed === 'string'
}

export interface PropertyLocation {
  readonly organisationId: string
  readonly connectorId: string
  readonly name: string
}

/** @param key of the secret in the value of the property; empty where the value itself is the secret. */
export function propertySecretLocation(
  { organisationId, connectorId, name }: PropertyLocation,
  key: string,
): SecretLocation {
  return { organisationId, table: 'connector_property', column: 'value', row: `${connectorId}/${name}/${key}` }
}

/** Seals each secret in the value of a property again, with the organisation's current data key. */
export function resealProperty(db: Db, secrets: Secrets, property: PropertyLocation, value: unknown): Promise<unknown> {
  return replaceParts(value, isSealedSecret, async ({ sealed }, key): Promise<SealedSecret> => {
    const location = propertySecretLocation(property, key)
    return { sealed: await secrets.seal(db, location, await secrets.open(db, location, sealed)) }
  })
}

/** Applies to the value itself, whose key is empty, or to each value of an object. */
export async function replaceParts<Part>(
  value: unknown,
  applies: (part: unknown, key: string) => part is Part,
  replace: (part: Part, key: string) => Promise<unknown>,
): Promise<unknown> {
  if (applies(value, '')) return replace(value, '')
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  const replaced: Record<string, unknown> = {}
  for (const [key, part] of Object.entries(value)) replaced[key] = applies(part, key) ? await replace(part, key) : part
  return replaced
}
