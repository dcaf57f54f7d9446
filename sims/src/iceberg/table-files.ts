/** The files of the tables of a simulated catalog, and the keys to them that it vends. */
import { randomUUID } from 'node:crypto'
import type { ObjectStoreSimulator } from './object-store.ts'
import type { JsonObject, TableState } from './tables.ts'

const vendedLifetimeMs = 15 * 60_000

export function described(table: TableState): JsonObject {
  return { 'metadata-location': `${table.location}/metadata/${table.version}.metadata.json`, metadata: table.metadata }
}

/** Keys of object storage for the files of one table, for a short time. */
export function credentials(store: ObjectStoreSimulator, table: TableState, now: number): JsonObject {
  const id = `ASIA${store.keys.size}`
  const secret = randomUUID()
  const sessionToken = `session ${randomUUID()}`
  const expiresAt = now + vendedLifetimeMs
  const folder = table.location.slice(`s3://${store.bucket}/`.length)
  store.keys.set(id, { secret, sessionToken, expiresAt, prefix: `${folder}/` })
  const config = {
    's3.access-key-id': id,
    's3.secret-access-key': secret,
    's3.session-token': sessionToken,
    's3.session-token-expires-at-ms': String(expiresAt),
  }
  return {
    'storage-credentials': [
      { prefix: 's3://', config: {} },
      { prefix: table.location, config },
    ],
  }
}

export function purge(store: ObjectStoreSimulator, { location }: TableState): void {
  const folder = location.slice(`s3://${store.bucket}/`.length)
  for (const key of store.objects.keys()) if (key.startsWith(`${folder}/`)) store.objects.delete(key)
}
