/** Tributary in a separate process on an embedded database, with the people of the trial. */
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { Agent } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { startEmbedded } from '../../../server/src/kernel/embedded/supervisor.ts'
import { migrate } from '../../../server/src/kernel/migrations/migrate.ts'
import { seedPeople, trialPassword } from '../../../server/src/trial/people.ts'
import { findFreePort } from '../../databases/free-port.ts'
import { openProcessServices } from '../../server/processes/process-services.ts'
import type { ServerSettings } from '../../server/processes/server-process.ts'
import { call } from './client.ts'

const warmUpCalls = 10

export interface MeasuredServer {
  /** A connection to the database that sees all organisations. */
  readonly database: pg.Client
  readonly port: number
  /** The process of the server. */
  readonly processId: number
  /** Starts the server again, in a process without a past. */
  restart(): Promise<void>
  /** The superuser of the database and of the warehouse. */
  readonly superuser: pg.ClientConfig
  /** Returns an access token. */
  signIn(emailAddress: string): Promise<string>
  /** Calls GET so many times, one call after the other. Returns the milliseconds of each, and the last reply. */
  time(
    path: string,
    token: string,
    calls: number,
  ): Promise<{ readonly times: readonly number[]; readonly text: string }>
  stop(): Promise<void>
}

export async function startMeasuredServer(): Promise<MeasuredServer> {
  const home = mkdtempSync(join(tmpdir(), 'tributary-bench-'))
  const embedded = await startEmbedded(home)
  const place = {
    connection: embedded.store,
    warehouse: { admin: embedded.superuser, ...embedded.warehouse },
    masterKey: randomBytes(32).toString('base64'),
    allowHosts: [],
  }
  await migrate(embedded.store)
  await seedTrialPeople(place)
  const database = new pg.Client({ ...embedded.store, options: '-c tributary.organisation=*' })
  await database.connect()
  const port = await findFreePort()
  let server = await startProcess({ ...place, port })
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  return {
    database,
    port,
    get processId() {
      return server.pid ?? 0
    },
    async restart() {
      const ended = once(server, 'exit')
      server.kill('SIGTERM')
      await ended
      server = await startProcess({ ...place, port })
    },
    superuser: embedded.superuser,
    async signIn(emailAddress) {
      const body = { emailAddress, password: trialPassword }
      const { text } = await call(agent, port, { method: 'POST', path: '/api/auth/signin', body })
      return (JSON.parse(text) as { accessToken: string }).accessToken
    },
    async time(path, token, calls) {
      const times: number[] = []
      let last = ''
      for (let n = -warmUpCalls; n < calls; n += 1) {
        const since = performance.now()
        const { status, text } = await call(agent, port, { path, token })
        if (status !== 200) throw new Error(`The server answered ${status}.`)
        if (n >= 0) times.push(performance.now() - since)
        last = text
      }
      return { times, text: last }
    },
    async stop() {
      agent.destroy()
      server.kill('SIGTERM')
      await database.end()
      await embedded.stop()
      rmSync(home, { recursive: true, force: true })
    },
  }
}

async function startProcess(settings: ServerSettings) {
  const program = join(import.meta.dirname, '../../server/processes/server-process.ts')
  const started = spawn(process.execPath, [program, JSON.stringify(settings)], { stdio: ['ignore', 'pipe', 'inherit'] })
  await once(started.stdout, 'data')
  return started
}

async function seedTrialPeople(place: Parameters<typeof openProcessServices>[0]): Promise<void> {
  const services = await openProcessServices(place)
  await services.serverKeys.prepare()
  await seedPeople(services.store, services.passwords)
  await services.queue.close()
  await services.store.close()
}
