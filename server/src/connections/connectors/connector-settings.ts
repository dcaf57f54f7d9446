/** A connector's settings at rest. Every secret is encrypted and bound to its connector, property and key. */
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

/** The properties as stored, with secrets encrypted. */
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

/** The properties in plain text. Keep them only while a source or a target is open, or a form is checked. */
export async function decryptSettings(
  db: Db,
  secrets: Secrets,
  connector: ConnectorLocation,
): Promise<ConnectorProperties> {
  return decryptEach(db, connector, (secret, location) => secrets.decrypt(db, location, secret.sealed))
}

/** For a form. A secret that cannot be decrypted stays encrypted, so that a person can enter it again. */
export async function decryptReadableSettings(
  db: Db,
  secrets: Secrets,
  connector: ConnectorLocation,
): Promise<ConnectorProperties> {
  return decryptEach(db, connector, (secret, location) =>
    decryptOr(secret, () => secrets.decrypt(db, location, secret.sealed)),
  )
}

async function decryptEach(
  db: Db,
  connector: ConnectorLocation,
  decrypt: (secret: EncryptedSecret, location: SecretLocation) => Promise<string | EncryptedSecret>,
): Promise<ConnectorProperties> {
  const decrypted: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(await readSettings(db, connector)))
    decrypted[name] = await replaceValues(value, isEncryptedSecret, (secret, key) =>
      decrypt(secret, propertySecretLocation({ ...connector, name }, key)),
    )
  return decrypted
}

/** Replaces all properties. `isSecret` decides which properties, or which keys of a property, are encrypted. */
export async function writeSettings(
  db: Db,
  secrets: Secrets,
  connector: ConnectorLocation,
  { properties, isSecret }: { properties: ConnectorProperties; isSecret: (name: string, key: string) => boolean },
): Promise<void> {
  await deleteSettings(db, connector)
  for (const [name, plain] of Object.entries(properties)) {
    const value = await replaceValues(
      plain,
      (part, key): part is string => typeof part === 'string' && part !== '' && isSecret(name, key),
      async (secret, key): Promise<EncryptedSecret> => ({
        sealed: await secrets.encrypt(db, propertySecretLocation({ ...connector, name }, key), secret),
      }),
    )
    await db
      .insertInto('connectorProperty')
      .values({ ...connector, name, value: JSON.stringify(value) })
      .execute()
  }
}

/** Deletes the properties and the credentials in them. @param kept names of properties that stay. */
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
