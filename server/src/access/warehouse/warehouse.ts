/** An organisation's place in the product's own warehouse: made when it is first asked for. */
import { randomBytes } from 'node:crypto'
import { connect } from 'node:net'
import { Fault } from '@tributary/engine/ports/faults'
import type { Network } from '@tributary/engine/ports/network'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import type { SecretLocation } from '../../kernel/store/secret-unreadable.ts'
import { decryptOr, type Secrets } from '../../security/secrets/secrets.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import type { WarehouseServer } from '../../connections/databases/warehouse-server.ts'
import { ensureDatabase, setWriterPassword } from './warehouse-database.ts'
import { findWarehouse, keepWriterSecret, lockWarehouse, nameWarehouse, type WarehouseRow } from './queries.ts'
import { newPassword } from './scram.ts'

interface WarehouseServices {
  readonly secrets: Secrets
  readonly store: Store
  readonly warehouse: WarehouseServer
}

export interface OwnWarehouse {
  readonly row: WarehouseRow
  readonly writerPassword: string
}

/** Makes the database where there is none yet. Throws a `passing` Fault where its server cannot be reached, a `settings` one where we have too few rights there. */
export async function ensureWarehouse(services: WarehouseServices, organisationId: string): Promise<OwnWarehouse> {
  const own = await named(services, organisationId)
  try {
    await ensureDatabase(services.warehouse, own.row, own.writerPassword)
    return own
  } catch (cause) {
    throw faultOf(cause)
  }
}

const insufficientPrivilege = '42501'

function faultOf(cause: unknown): Fault {
  if ((cause as { code?: unknown }).code === insufficientPrivilege) {
    const notice =
      'Tributary may not make a database in its own warehouse. Whoever runs this server can allow it with: ALTER ROLE … CREATEDB CREATEROLE, for the role of TRIBUTARY_WAREHOUSE_URL or DATABASE_URL.'
    return new Fault('settings', { code: 'warehouse.not_allowed', notice, cause })
  }
  const notice = 'Tributary’s own warehouse cannot be reached just now. Nothing is lost; it will be tried again.'
  return new Fault('passing', { code: 'warehouse.unreachable', notice, cause })
}

function named(services: WarehouseServices, organisationId: string): Promise<OwnWarehouse> {
  const { store, secrets } = services
  const place = { organisationId, table: 'warehouse', column: 'writer_secret', row: organisationId }
  return store.within(organisationId, async (db) => {
    const row = (await findWarehouse(db, organisationId)) ?? (await name())
    const known = await decryptOr(null, () => secrets.decrypt(db, place, row.writerSecret))
    return { row, writerPassword: known ?? (await renewWriter(db, services, place)) }

    async function name(): Promise<WarehouseRow> {
      const opaque = `w_${randomBytes(8).toString('hex')}`
      const writerSecret = await secrets.encrypt(db, place, newPassword())
      return nameWarehouse(db, organisationId, {
        databaseName: opaque,
        writerName: `${opaque}_writer`,
        readerName: `${opaque}_reader`,
        writerSecret,
      })
    }
  })
}

/**
 * Nobody can enter again a password that nobody chose: where it cannot be read any more, there is another one. The warehouse has
 * it before the store does, so whoever is killed in between begins anew.
 */
async function renewWriter(
  db: Db,
  { warehouse, secrets }: WarehouseServices,
  place: SecretLocation & { readonly organisationId: string },
): Promise<string> {
  const row = await lockWarehouse(db, place.organisationId)
  const known = await decryptOr(null, () => secrets.decrypt(db, place, row.writerSecret))
  if (known !== null) return known
  const password = newPassword()
  await setWriterPassword(warehouse, row, password)
  await keepWriterSecret(db, place.organisationId, await secrets.encrypt(db, place, password))
  return password
}

/** How the engine writes there: the settings of its PostgreSQL target, and the only address they may lead to. */
export async function warehouseTarget(
  services: WarehouseServices,
  organisationId: string,
  schema: string,
): Promise<{ settings: ConnectorProperties; network: Network }> {
  const { row, writerPassword } = await ensureWarehouse(services, organisationId)
  const { admin, host, port } = services.warehouse
  const sslmode = admin.ssl === undefined || admin.ssl === false ? 'disable' : 'require'
  const connection = { host, port, database: row.databaseName, user: row.writerName, password: writerPassword, sslmode }
  return {
    settings: { 'target.connectionString': connection, 'target.schema': schema },
    network: networkTo(services.warehouse),
  }
}

/** Leads to the warehouse whatever the address: through the embedded server's socket, or to the server the operator named. */
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
              notice: 'Tributary’s own warehouse cannot be reached just now. It will be tried again.',
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
