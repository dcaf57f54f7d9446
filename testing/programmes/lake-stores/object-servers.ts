/** Servers of object storage by other authors, each in a process with a folder in the file system: Azurite, and the Versity S3 Gateway. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createHmac, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { ConnectorProperties } from '@tributary/engine/ports/source'

export interface ObjectServer extends AsyncDisposable {
  /** Where tables are, with a slash at the end. */
  readonly root: string
  /** The folder of the files of Versity; of Azurite its own format. */
  readonly folder: string
  /** The settings of the target for this storage. */
  readonly settings: ConnectorProperties
  /** The same with a key that the server does not accept. */
  readonly wrongSettings: ConnectorProperties
  /** Of PyIceberg. */
  readonly readerProperties: Readonly<Record<string, string>>
}

const bucket = 'lake'
const region = 'eu-central-1'

/** @param style where the bucket is in the addresses of objects */
export async function startVersityGateway(style: 'path' | 'host'): Promise<ObjectServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-s3-'))
  await mkdir(join(folder, bucket))
  const port = await findFreePort()
  const key = { id: 'TRIBUTARY', secret: 'the/secret+key with more' }
  const command = [
    '--port',
    `127.0.0.1:${port}`,
    '--access',
    key.id,
    '--secret',
    key.secret,
    '--region',
    region,
    '--quiet',
  ]
  const domain = style === 'host' ? ['--virtual-domain', `s3.example.test:${port}`] : []
  const program = process.env['TRIBUTARY_VERSITYGW'] ?? ''
  const server = await startProcess(program, [...command, ...domain, 'posix', folder], `http://127.0.0.1:${port}`)
  const settings = {
    storage: 's3',
    's3.endpoint': style === 'host' ? `http://s3.example.test:${port}` : `http://127.0.0.1:${port}`,
    's3.region': region,
    's3.path-style-access': style === 'path',
    's3.access-key-id': key.id,
    's3.secret-access-key': key.secret,
  }
  return {
    root: `s3://${bucket}/`,
    folder: join(folder, bucket),
    settings,
    wrongSettings: { ...settings, 's3.secret-access-key': 'wrong' },
    readerProperties: {
      's3.endpoint': `http://127.0.0.1:${port}`,
      's3.region': region,
      's3.access-key-id': key.id,
      's3.secret-access-key': key.secret,
    },
    [Symbol.asyncDispose]: () => stop(server, folder),
  }
}

const account = 'tributarylake'

/** Azurite has the Blob API without a hierarchical namespace. */
export async function startAzurite(signIn: 'key' | 'sas'): Promise<ObjectServer> {
  const folder = await mkdtemp(join(tmpdir(), 'tributary-azurite-'))
  const port = await findFreePort()
  const accountKey = randomBytes(64).toString('base64')
  const endpoint = `http://127.0.0.1:${port}/${account}`
  const main = join(process.env['TRIBUTARY_AZURITE'] ?? '', 'node_modules', 'azurite', 'dist', 'src', 'blob', 'main.js')
  // The client of the reader asks for a later version than Azurite has.
  const more = ['--silent', '--disableTelemetry', '--skipApiVersionCheck']
  const command = [main, '--blobPort', String(port), '--location', folder, ...more]
  const server = await startProcess(process.execPath, command, endpoint, {
    AZURITE_ACCOUNTS: `${account}:${accountKey}`,
  })
  await createContainer(endpoint, accountKey)
  const common = { storage: 'azure', 'adls.endpoint': endpoint }
  const sas = (key: string) => ({ ...common, 'adls.sas-token': signAccess(key, { permissions: 'rwdl', types: 'co' }) })
  const byKey = (key: string) => ({ ...common, 'adls.account-key': key })
  const settingsOf = signIn === 'key' ? byKey : sas
  const connection = `DefaultEndpointsProtocol=http;AccountName=${account};AccountKey=${accountKey};BlobEndpoint=${endpoint};`
  return {
    root: `abfss://${bucket}@${account}.dfs.core.windows.net/`,
    folder,
    settings: settingsOf(accountKey),
    wrongSettings: settingsOf(randomBytes(64).toString('base64')),
    // The file system of pyarrow takes the whole authority for the container.
    readerProperties: {
      'py-io-impl': 'pyiceberg.io.fsspec.FsspecFileIO',
      'adls.account-name': account,
      'adls.connection-string': connection,
    },
    [Symbol.asyncDispose]: () => stop(server, folder),
  }
}

async function createContainer(endpoint: string, accountKey: string): Promise<void> {
  const token = signAccess(accountKey, { permissions: 'rwdlc', types: 'sco' })
  const response = await fetch(`${endpoint}/${bucket}?restype=container&${token}`, { method: 'PUT' })
  if (response.status !== 201) throw new Error(`Azurite replied ${response.status}: ${await response.text()}`)
}

const hourMs = 3_600_000
const sasVersion = '2023-11-03'

/** A shared access signature of the account. https://learn.microsoft.com/rest/api/storageservices/create-account-sas */
function signAccess(
  key: string,
  { permissions, types }: { readonly permissions: string; readonly types: string },
): string {
  const expiry = `${new Date(Date.now() + hourMs).toISOString().slice(0, 19)}Z`
  const signed = [account, permissions, 'b', types, '', expiry, '', '', sasVersion, '', '']
  const signature = createHmac('sha256', Buffer.from(key, 'base64')).update(signed.join('\n'), 'utf8').digest('base64')
  const query = { sv: sasVersion, ss: 'b', srt: types, sp: permissions, se: expiry, sig: signature }
  return new URLSearchParams(query).toString()
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const startMs = 30_000
const pollMs = 100

/** Resolves when the server replies at the address, whatever it says. */
async function startProcess(
  program: string,
  command: readonly string[],
  address: string,
  env: Readonly<Record<string, string>> = {},
): Promise<ChildProcess> {
  const server = spawn(program, command, { stdio: ['ignore', 'ignore', 'inherit'], env: { ...process.env, ...env } })
  const failed = once(server, 'error').then(([error]) => Promise.reject(error as Error))
  failed.catch(() => undefined)
  for (const end = Date.now() + startMs; Date.now() < end;) {
    const isUp = await Promise.race([
      failed,
      fetch(address).then(
        () => true,
        () => false,
      ),
    ])
    if (isUp) return server
    if (server.exitCode !== null) throw new Error(`${program} ended with ${server.exitCode}.`)
    await wait(pollMs)
  }
  server.kill()
  throw new Error(`${program} does not reply at ${address}.`)
}

async function stop(server: ChildProcess, folder: string): Promise<void> {
  const ended = once(server, 'exit')
  server.kill()
  await ended
  await rm(folder, { recursive: true, force: true })
}
