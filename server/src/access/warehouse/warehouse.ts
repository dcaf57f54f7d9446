/** An organisation's database in the product's own warehouse. It is created on first use. */
import type { ConnectionServices } from '../../connections/connection-services.ts'
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { Fault } from '@tributary/engine/ports/faults'
import type { Network } from '@tributary/engine/ports/network'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import type { SecretLocation } from '../../kernel/store/secret-unreadable.ts'
import { decryptOr } from '../../security/secrets/secrets.ts'
import type { WarehouseServer } from '../../connections/databases/warehouse-server.ts'
import { chooseServer } from './servers/choose-server.ts'
import { serverOf } from './servers/server-of.ts'
import { ensureDatabase, setWriterPassword } from './warehouse-database.ts'
import { withMissingRights } from './missing-rights.ts'
import { findWarehouse, storeWriterSecret, lockWarehouse, insertWarehouse, type WarehouseRow } from './queries.ts'
import { generatePassword } from './scram.ts'

type WarehouseServices = Pick<ConnectionServices, 'secrets' | 'store' | 'warehouse'>

export interface OrganisationWarehouse {
  readonly row: WarehouseRow
  readonly writerPassword: string
}

/**
 * Creates the database if it does not exist. Throws a `passing` Fault if its server cannot be reached, and a `settings`
 * Fault if the admin's rights are insufficient.
 */
export async function ensureWarehouse(
  services: WarehouseServices,
  organisationId: string,
): Promise<OrganisationWarehouse> {
  const warehouse = await loadOrCreateNames(services, organisationId)
  try {
    const server = await serverOf(services, warehouse.row)
    await withMissingRights(server, warehouse.row, () =>
      ensureDatabase(server, warehouse.row, warehouse.writerPassword),
    )
    return warehouse
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    const notice = 'Tributary’s own warehouse cannot be reached at the moment. No data is lost; Tributary tries again.'
    throw new Fault('passing', { code: 'warehouse.unreachable', notice, cause })
  }
}

/** The password of the login that writes. The warehouse must exist. */
export async function readWriterPassword(services: WarehouseServices, organisationId: string): Promise<string> {
  return (await loadOrCreateNames(services, organisationId)).writerPassword
}

async function loadOrCreateNames(services: WarehouseServices, organisationId: string): Promise<OrganisationWarehouse> {
  const { store, secrets } = services
  const found = await store.within(organisationId, (db) => findWarehouse(db, organisationId))
  const chosen = found === undefined ? await chooseServer(services, organisationId) : found.serverId
  const location = { organisationId, table: 'warehouse', column: 'writer_secret', row: organisationId }
  const { row, stored } = await store.within(organisationId, async (db) => {
    const row = (await findWarehouse(db, organisationId)) ?? (await create())
    const stored = await decryptOr(null, () => secrets.decrypt(db, location, row.writerSecret))
    return { row, stored }

    async function create(): Promise<WarehouseRow> {
      const databaseName = `w_${randomBytes(8).toString('hex')}`
      const writerSecret = await secrets.encrypt(db, location, generatePassword())
      return insertWarehouse(db, organisationId, {
        databaseName,
        writerName: `${databaseName}_writer`,
        readerName: `${databaseName}_reader`,
        writerSecret,
        serverId: chosen,
      })
    }
  })
  return { row, writerPassword: stored ?? (await replaceWriterPassword(services, row, location)) }
}

/**
 * Replaces a password that can no longer be decrypted: it was generated, so no user can enter it again. Changes the
 * warehouse before the store, so that a process that is killed in between repeats both.
 */
async function replaceWriterPassword(
  services: WarehouseServices,
  placed: WarehouseRow,
  location: SecretLocation & { readonly organisationId: string },
): Promise<string> {
  const { store, secrets } = services
  const server = await serverOf(services, placed)
  return await store.within(location.organisationId, async (db) => {
    const row = await lockWarehouse(db, location.organisationId)
    const stored = await decryptOr(null, () => secrets.decrypt(db, location, row.writerSecret))
    if (stored !== null) return stored
    if (row.serverId !== placed.serverId) throw heldForMove()
    const password = generatePassword()
    await setWriterPassword(server, row, password)
    await storeWriterSecret(db, location.organisationId, await secrets.encrypt(db, location, password))
    return password
  })
}

/** The run waits, and continues on the other server. */
function heldForMove(): Fault {
  return new Fault('busy', {
    code: 'warehouse.moving',
    notice:
      'Your warehouse is about to continue on another server, so nothing is written to it for some minutes. No data is lost; Tributary tries again.',
    waitMs: 15_000,
  })
}

/**
 * Returns the settings of the engine's PostgreSQL target, and a network that only reaches the warehouse. Throws a `busy` Fault while
 * the warehouse is about to continue on another server.
 */
export async function warehouseTarget(
  services: WarehouseServices,
  organisationId: string,
  schema: string,
): Promise<{ settings: ConnectorProperties; network: Network }> {
  const { row, writerPassword } = await ensureWarehouse(services, organisationId)
  if (row.writersHeldAt !== null) throw heldForMove()
  const server = await serverOf(services, row)
  const { admin, host, port } = server
  const sslmode = admin.ssl === undefined || admin.ssl === false ? 'disable' : 'require'
  const connection = { host, port, database: row.databaseName, user: row.writerName, password: writerPassword, sslmode }
  return {
    settings: { 'target.connectionString': connection, 'target.schema': schema },
    network: networkTo(server),
  }
}

/**
 * Dials the warehouse server whatever the address: the embedded server by its socket, or the server that the operator
 * named.
 */
function networkTo({ admin }: WarehouseServer): Network {
  const { host = 'localhost', port = 5432 } = admin
  const address = host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port}` } : { host, port }
  return {
    dial: (_host, _port, signal) =>
      new Promise((resolve, reject) => {
        const socket = connect({ ...address, noDelay: true })
        const fail = (cause: unknown) => {
          socket.destroy()
          reject(
            new Fault('passing', {
              code: 'warehouse.unreachable',
              notice: 'Tributary’s own warehouse cannot be reached at the moment. Tributary tries again.',
              cause,
            }),
          )
        }
        const stop = () => fail(signal.reason)
        signal.addEventListener('abort', stop, { once: true })
        socket.once('error', fail)
        socket.once('connect', () => {
          socket.off('error', fail)
          signal.removeEventListener('abort', stop)
          resolve(socket)
        })
      }),
  }
}
