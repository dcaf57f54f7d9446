/** A further PostgreSQL server, on which warehouses can be. */
import { rmSync } from 'node:fs'
import type { ClientConfig } from 'pg'
import { startEmbedded } from '../../server/src/kernel/embedded/supervisor.ts'
import { withClient } from '../../server/src/kernel/store/with-client.ts'
import { createDataFolder } from './data-folder.ts'
import { openTcp } from './open-tcp.ts'

export interface DataServerProcess extends AsyncDisposable {
  readonly host: string
  readonly port: number
  readonly superuser: ClientConfig
  /** A role with the rights that a warehouse needs, and no others. */
  readonly admin: { readonly user: string; readonly password: string; readonly database: string }
}

const settings = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off']

export async function startDataServer(): Promise<DataServerProcess> {
  const home = createDataFolder('tributary-test-')
  const server = await startEmbedded(home, { settings })
  const password = await openTcp(home, server.superuser)
  const { host, port } = server.warehouse
  const superuser = { host, port, user: 'postgres', password, database: 'postgres' }
  const admin = { user: 'warehouses', password: 'canary-warehouse-password', database: 'warehouses' }
  await withClient(superuser, async (client) => {
    // As on a server that the operator installs: readers sign in by TCP without a further role.
    await client.query('DROP ROLE tributary_warehouse_reader')
    await client.query(`CREATE ROLE ${admin.user} LOGIN CREATEDB CREATEROLE PASSWORD '${admin.password}'`)
    await client.query(`CREATE DATABASE ${admin.database} OWNER ${admin.user}`)
  })
  return {
    host,
    port,
    superuser,
    admin,
    async [Symbol.asyncDispose]() {
      await server.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}
