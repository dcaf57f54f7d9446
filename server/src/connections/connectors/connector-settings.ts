/** A connector's settings at rest: every secret among them is sealed, bound to its connector, property and key. */
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import type { SecretLocation } from '../../kernel/store/secret-unreadable.ts'
import { decryptOr, type Secrets } from '../../security/secrets/secrets.ts'
import {
  isEncryptedSecret,
  propertySecretLocation,
  replaceValues,
  type EncryptedSecret,
} from '../../security/secrets/sealed-properties.ts'
import type { Db } from '../../kernel/store/store.ts'

export interface ConnectorLocation {
  readonly organisationId: string
  readonly connectorId: string
}

/** The properties as stored, secrets still sealed. */
export async function readSettings(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
): Promise<ConnectorProperties> {
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
export async function decryptSettings(
  db: Db,
  secrets: Secrets,
  place: ConnectorLocation,
): Promise<ConnectorProperties> {
  return decryptEach(db, place, (secret, at) => secrets.decrypt(db, at, secret.sealed))
}

/** The same for a form, in which what cannot be read may be entered again: until then it stays as it is stored. */
export async function decryptReadableSettings(
  db: Db,
  secrets: Secrets,
  place: ConnectorLocation,
): Promise<ConnectorProperties> {
  return decryptEach(db, place, (secret, at) => decryptOr(secret, () => secrets.decrypt(db, at, secret.sealed)))
}

async function decryptEach(
  db: Db,
  place: ConnectorLocation,
  open: (secret: EncryptedSecret, at: SecretLocation) => Promise<string | EncryptedSecret>,
): Promise<ConnectorProperties> {
  const opened: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(await readSettings(db, place)))
    opened[name] = await replaceValues(value, isEncryptedSecret, (secret, key) =>
      open(secret, propertySecretLocation({ ...place, name }, key)),
    )
  return opened
}

/** Replaces all properties; `isSecret` says which of them, or which keys of one, are sealed. */
export async function writeSettings(
  db: Db,
  secrets: Secrets,
  place: ConnectorLocation,
  { properties, isSecret }: { properties: ConnectorProperties; isSecret: (name: string, key: string) => boolean },
): Promise<void> {
  await deleteSettings(db, place)
  for (const [name, clear] of Object.entries(properties)) {
    const value = await replaceValues(
      clear,
      (part, key): part is string => typeof part === 'string' && part !== '' && isSecret(name, key),
      async (secret, key): Promise<EncryptedSecret> => ({
        sealed: await secrets.encrypt(db, propertySecretLocation({ ...place, name }, key), secret),
      }),
    )
    await db
      .insertInto('connectorProperty')
      .values({ ...place, name, value: JSON.stringify(value) })
      .execute()
  }
}

/** With the properties go the credentials. @param kept names of properties that stay. */
export async function deleteSettings(
  db: Db,
  { organisationId, connectorId }: ConnectorLocation,
  kept: readonly string[] = [],
): Promise<void> {
  await db
    .deleteFrom('connectorProperty')
    .where('organisationId', '=', organisationId)
    .where('connectorId', '=', connectorId)
    .$if(kept.length > 0, (query) => query.where('name', 'not in', [...kept]))
    .execute()
}
