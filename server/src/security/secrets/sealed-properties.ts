/** Secrets in the values of connector properties, encrypted and bound to connector, property and key. */
import type { Db } from '../../kernel/store/store.ts'
import type { SecretLocation } from '../../kernel/store/secret-unreadable.ts'
import type { Secrets } from './secrets.ts'

/** The stored form of a secret in a value. No value that a person enters has this form. */
export interface EncryptedSecret {
  readonly sealed: string
}

export function isEncryptedSecret(value: unknown): value is EncryptedSecret {
  return typeof value === 'object' && value !== null && typeof (value as Partial<EncryptedSecret>).sealed === 'string'
}

export interface PropertyLocation {
  readonly organisationId: string
  readonly connectorId: string
  readonly name: string
}

/** @param key of the secret in the property's value; empty if the whole value is the secret */
export function propertySecretLocation(
  { organisationId, connectorId, name }: PropertyLocation,
  key: string,
): SecretLocation {
  return { organisationId, table: 'connector_property', column: 'value', row: `${connectorId}/${name}/${key}` }
}

/** Encrypts each secret in a property's value again, with the organisation's current data key. */
export function reEncryptProperty(
  db: Db,
  secrets: Secrets,
  property: PropertyLocation,
  value: unknown,
): Promise<unknown> {
  return replaceValues(value, isEncryptedSecret, async ({ sealed }, key): Promise<EncryptedSecret> => {
    const location = propertySecretLocation(property, key)
    return { sealed: await secrets.encrypt(db, location, await secrets.decrypt(db, location, sealed)) }
  })
}

/** Maps the value itself (with an empty key), or each value of an object. */
export async function replaceValues<Part>(
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
