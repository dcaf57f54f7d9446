/** The PostgreSQL server that holds the organisations' warehouses. */
import type { Network } from '@tributary/engine/ports/network'
import type { ConnectorProperties } from '@tributary/engine/ports/source'
import { Fault } from '@tributary/engine/ports/faults'
import { Client, type ClientConfig } from 'pg'

export interface WarehouseServer {
  /** May make databases and roles. */
  readonly admin: ClientConfig
  /** Where people's programs connect, and our own writers where `admin` names no socket. */
  readonly host: string
  readonly port: number
}

/** Throws a `passing` Fault where the server does not answer. */
export async function requireWarehouse({ admin }: WarehouseServer): Promise<void> {
  const client = new Client({ ...admin, connectionTimeoutMillis: 5_000 })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('SELECT 1')
  } catch (cause) {
    throw new Fault('passing', {
      code: 'warehouse.unreachable',
      notice: 'Tributary’s own warehouse cannot be reached just now. Try again in a moment.',
      cause,
    })
  } finally {
    await client.end().catch(() => undefined)
  }
}

/** How to write into the organisation's own warehouse, made where there is none yet. */
export type WarehouseTarget = (
  organisationId: string,
  schema: string,
) => Promise<{ settings: ConnectorProperties; network: Network }>
