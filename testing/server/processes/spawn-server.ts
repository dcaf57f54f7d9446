/** Starts a server as a separate process on the store of a test, and calls it as a user of the trial. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { inject } from 'vitest'
import { trialPassword } from '../../../server/src/trial/people.ts'
import { findFreePort } from '../../databases/free-port.ts'
import type { ServerSettings } from './server-process.ts'
import type { TestApp } from '../app/test-app.ts'

export interface SpawnedServer extends AsyncDisposable {
  readonly address: string
  /** Sends a POST request as the signed-in user and returns the status. */
  post(path: string, body?: object): Promise<number>
  /** Sends SIGKILL and resolves when the process has ended. */
  kill(): Promise<void>
}

/**
 * @param masterKey the master key of the test's server
 * @param env variables in addition to a trial's
 */
export async function spawnServer(
  { connection, services }: TestApp,
  masterKey: Buffer,
  emailAddress: string,
  env: Readonly<Record<string, string>> = {},
): Promise<SpawnedServer> {
  const port = await findFreePort()
  const allowHosts = [inject('postgres'), inject('mariadb')].map((reach) => `${reach.host}:${reach.port}`)
  const settings: ServerSettings = {
    connection,
    warehouse: services.warehouse,
    masterKey: masterKey.toString('base64'),
    allowHosts,
    port,
    env,
  }
  const child = spawn(process.execPath, [join(import.meta.dirname, 'server-process.ts'), JSON.stringify(settings)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await Promise.race([once(child.stdout, 'data'), rejectOnExit(child)])
  const send = (path: string, body: object, headers: object = {}) =>
    fetch(`http://localhost:${port}${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  const signedIn = await send('/api/auth/signin', { emailAddress, password: trialPassword })
  const { accessToken } = (await signedIn.json()) as { accessToken: string }
  const kill = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill('SIGKILL')
    await ended
  }
  const post = async (path: string, body: object = {}) =>
    (await send(path, body, { authorization: `Bearer ${accessToken}` })).status
  return { address: `http://localhost:${port}`, post, kill, [Symbol.asyncDispose]: kill }
}

async function rejectOnExit(child: ChildProcess): Promise<never> {
  const [code] = (await once(child, 'exit')) as [number | null]
  throw new Error(`The server ended with ${code} before it was ready.`)
}
