/** Starts a server as a process of its own, on the store of a test, and speaks to it as its trial's user. */
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { inject } from 'vitest'
import { trialPassword } from '../../../server/src/trial/people.ts'
import { findFreePort } from '../../databases/free-port.ts'
import type { ServerPlace } from './server-process.ts'
import type { TestApp } from '../app/test-app.ts'

export interface SpawnedServer extends AsyncDisposable {
  readonly address: string
  /** As the person who signed in; answers the status. */
  post(path: string, body?: object): Promise<number>
  /** As a power cut would end it. Answers when it is gone. */
  kill(): Promise<void>
}

/** @param masterKey that of the test's own server. @param env beside a trial's. */
export async function spawnServer(
  { connection, services }: TestApp,
  masterKey: Buffer,
  emailAddress: string,
  env: Readonly<Record<string, string>> = {},
): Promise<SpawnedServer> {
  const port = await findFreePort()
  const allowHosts = [inject('postgres'), inject('mariadb')].map((reach) => `${reach.host}:${reach.port}`)
  const place: ServerPlace = {
    connection,
    warehouse: services.warehouse,
    masterKey: masterKey.toString('base64'),
    allowHosts,
    port,
    env,
  }
  const child = spawn(process.execPath, [join(import.meta.dirname, 'server-process.ts'), JSON.stringify(place)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await Promise.race([once(child.stdout, 'data'), gone(child)])
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

async function gone(child: ChildProcess): Promise<never> {
  const [code] = (await once(child, 'exit')) as [number | null]
  throw new Error(`The server ended with ${code} before it was ready.`)
}
