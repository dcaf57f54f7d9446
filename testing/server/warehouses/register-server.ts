/** Registers servers for warehouses, and chooses the region of an organisation, as a superadmin does. */
import { dataServers } from '@tributary/contract/data-servers'
import type { DataServerProcess } from '../../databases/data-server.ts'
import type { TestApp } from '../app/test-app.ts'

export interface RegisteredServer {
  readonly name: string
  readonly region: string | null
  readonly databasesMax?: number
  readonly acceptsNew?: boolean
}

export function bodyOfServer(server: DataServerProcess, { name, region, ...rest }: RegisteredServer) {
  return {
    name,
    region,
    readerHost: null,
    readerPort: null,
    acceptsNew: rest.acceptsNew ?? true,
    databasesMax: rest.databasesMax ?? null,
    sizeMaxBytes: null,
    address: { host: server.host, port: server.port, ...server.admin, tls: 'off' as const, caCertificate: null },
  }
}

/** Returns the id of the server. */
export async function registerServer(app: TestApp, server: DataServerProcess, as: RegisteredServer): Promise<string> {
  await app.as.superadmin.signIn()
  const { status, body } = await app.as.superadmin.call(dataServers.create, { body: bodyOfServer(server, as) })
  if (status !== 201) throw new Error(`registering a server answered ${status}: ${JSON.stringify(body)}`)
  return body.Id
}

export async function chooseRegion(app: TestApp, clientId: string, regionWish: string | null): Promise<void> {
  const { status } = await app.as.superadmin.call(dataServers.savePlacement, {
    params: { clientId },
    body: { regionWish },
  })
  if (status !== 200) throw new Error(`choosing a region answered ${status}`)
}
