/** The PostgreSQL server that holds the organisations' warehouses. */
import type { Network } from '@tributary/engine/ports/network'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import { Fault } from '@tributary/engine/ports/faults'
import type { ClientConfig } from 'pg'
import { withClient } from '../../kernel/store/with-client.ts'

export interface WarehouseServer {
  /** A role that can create databases and roles. */
  readonly admin: ClientConfig
  /** Where reporting tools connect, and Tributary's own writers unless `admin` names a socket. */
  readonly host: string
  readonly port: number
}

/** Throws a `passing` Fault if the server does not answer. */
export async function requireWarehouse({ admin }: WarehouseServer): Promise<void> {
  try {
    await withClient({ ...admin, connectionTimeoutMillis: 5_000 }, (client) => client.query('SELECT 1'))
  } catch (cause) {
    throw new Fault('passing', {
      code: 'warehouse.unreachable',
      notice: 'Tributary’s own warehouse cannot be reached just now. Try again in a moment.',
      cause,
    })
  }
}

/** Returns the settings for writing to the organisation's warehouse, and creates the warehouse if it does not exist. */
export type WarehouseTarget = (
  organisationId: string,
  schema: string,
) => Promise<{ settings: ConnectorProperties; network: Network }>
