/**
 * Rotates every key while users and connectors are active in several processes: twice as a slice, twenty times with
 * `npm run soak`.
 */
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { createRandom } from '@tributary/sims/random'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { systemAuditContext } from '../../../server/src/kernel/audit-context.ts'
import { spawnCommand } from '../../server/cli/spawn-command.ts'
import { isoTime } from '../../../server/src/kernel/clock.ts'
import { dataKeyLocation } from '../../../server/src/security/secrets/secrets.ts'
import { RunDriver, until } from '../../server/connectors/run-driver.ts'
import { sourceDatabase } from '../../server/connectors/source-database.ts'
import { type SpawnedServer, spawnServer } from '../../server/processes/spawn-server.ts'
import { spawnWorker } from '../../server/processes/spawn-worker.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'
import { trialPassword } from '../../../server/src/trial/people.ts'
import { addMasterKey, dropFormerMasterKeys } from '../../../server/src/security/keys/master-key-file.ts'
import { keyVersion, listKeyLines } from '../../../server/src/kernel/config/master-keys.ts'
import { listKeys, retireKey } from '../../../server/src/security/keys/key-rotation-cleanup.ts'
import { reWrapAll } from '../../../server/src/security/keys/re-wrap-keys.ts'
import { rotateDataKeys, rotateServerKey } from '../../../server/src/security/keys/rotate-keys.ts'
import { encrypt } from '../../../server/src/security/keys/aes-gcm.ts'
import { isFull, seed } from '../extent.ts'

const rounds = isFull ? 20 : 2
const random = createRandom(seed)

const home = mkdtempSync(join(tmpdir(), 'tributary-keys-'))
const file = join(home, 'master-key')
const masterKey = randomBytes(32)
let app: TestApp

beforeAll(async () => {
  writeFileSync(file, `${masterKey.toString('base64')}\n`, { mode: 0o600 })
  app = await testApp({ keys: { current: masterKey, old: [], file } })
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  rmSync(home, { recursive: true })
})

/** Signs in and calls random servers, and records every failed call. */
class SessionClient {
  readonly failures: string[] = []
  readonly #servers: readonly SpawnedServer[]
  readonly #account: { readonly emailAddress: string; readonly password: string }
  /** The first access token, which must be accepted to the end. */
  firstToken = ''
  calls = 0

  constructor(servers: readonly SpawnedServer[], emailAddress: string) {
    this.#servers = servers
    this.#account = { emailAddress, password: trialPassword }
  }

  async work(over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      const signedIn = await this.#post('/api/auth/signin', this.#account)
      this.firstToken ||= signedIn.accessToken
      await this.look(signedIn.accessToken)
      const refreshed = await this.#post('/api/auth/refresh', {}, signedIn.cookies)
      await this.look(refreshed.accessToken)
      await this.look(this.firstToken)
    }
  }

  async look(accessToken: string): Promise<void> {
    for (const { address } of this.#servers) {
      const reply = await fetch(`${address}/api/me/sessions`, { headers: { authorization: `Bearer ${accessToken}` } })
      await this.#note(reply, 'listing sessions')
    }
  }

  async #post(path: string, body: object, cookies = ''): Promise<{ accessToken: string; cookies: string }> {
    const { address } = random.pick(this.#servers)
    const headers = { 'content-type': 'application/json', ...(cookies !== '' && { cookie: cookies }) }
    const reply = await fetch(`${address}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    const { accessToken = '' } = JSON.parse(await this.#note(reply, path)) as { accessToken?: string }
    return {
      accessToken,
      cookies: reply.headers
        .getSetCookie()
        .map((cookie) => cookie.split(';')[0])
        .join('; '),
    }
  }

  async #note(reply: Response, what: string): Promise<string> {
    const text = await reply.text()
    this.calls += 1
    if (reply.status !== 200) this.failures.push(`${what} was answered ${reply.status}: ${text.slice(0, 200)}`)
    return text
  }
}

const changes: readonly (() => Promise<unknown>)[] = [
  () => rotateServerKey(app.services, systemAuditContext, 'signing'),
  () => rotateServerKey(app.services, systemAuditContext, 'pepper'),
  () => rotateDataKeys(app.services, systemAuditContext, 'all'),
  async () => {
    addMasterKey(file)
    await reWrapAll(app.services)
    dropFormerMasterKeys(file)
  },
]

test(`while every key is rotated ${rounds} times, no call is refused and no run fails (seed ${seed})`, async () => {
  const env = { TRIBUTARY_MASTER_KEY_FILE: file }
  await using one = await spawnServer(app, masterKey, 'admin@demo.example', env)
  await using two = await spawnServer(app, masterKey, 'admin@demo.example', env)
  const { host, port } = inject('postgres')
  const workerSettings = {
    connection: app.connection,
    warehouse: app.services.warehouse,
    masterKey: '',
    allowHosts: [`${host}:${port}`],
  }
  await using worker = await spawnWorker({ ...workerSettings, env, options: { leaseMs: 4_000, pollMs: 500 } })
  const source = await sourceDatabase(
    'CREATE TABLE item (id int PRIMARY KEY); INSERT INTO item SELECT generate_series(1, 500)',
  )
  const driver = new RunDriver(app.as.admin, app.harbour.id, source)
  const connectorId = await driver.add('Rotated')

  const visitors = ['user@demo.example', 'guest@demo.example'].map((address) => new SessionClient([one, two], address))
  const over = new AbortController()
  const ends: string[] = []
  const running = (async () => {
    while (!over.signal.aborted) ends.push((await driver.runToEnd(connectorId)).Status)
  })()
  const working = visitors.map((visitor) => visitor.work(over.signal))
  for (let round = 0; round < rounds; round += 1)
    for (const change of changes) {
      await sleep(random.between(20, isFull ? 1_000 : 200))
      await change()
    }
  await sleep(isFull ? 6_000 : 500)
  over.abort()
  await Promise.all([...working, running])

  await worker.kill('SIGTERM')
  expect(visitors.flatMap(({ failures }) => failures)).toEqual([])
  expect(ends.filter((status) => status !== 'COMPLETED')).toEqual([])
  process.stdout.write(
    `keys: ${rounds * changes.length} changes, ${visitors.reduce((sum, { calls }) => sum + calls, 0)} calls and ${ends.length} runs meanwhile, none refused (seed ${seed})\n`,
  )

  const signing = (await app.store.across((db) => listKeys(db, app.clock.now()))).filter(
    ({ kind }) => kind === 'signing',
  )
  for (const { id } of signing.slice(1)) await retireKey(app.services, systemAuditContext, { id, isForced: true })
  const token = visitors[0]?.firstToken ?? ''
  for (const { address } of [one, two]) {
    const look = async () =>
      (await fetch(`${address}/api/me/sessions`, { headers: { authorization: `Bearer ${token}` } })).status
    expect(await until(look, (status) => status === 401, 15_000)).toBe(401)
  }
}, 900_000)

const killed = isFull ? 10 : 1

test.each(Array.from({ length: killed }, () => random.between(1, 10)))(
  `a re-wrap with a new master key that is killed after %i batches is finished by the next one (seed ${seed})`,
  async (batches) => {
    const keysInAll = 2_000
    await using old = await testApp({ keys: { current: masterKey, old: [] } })
    await fillWithKeys(old, keysInAll)
    const current = randomBytes(32)
    const given = join(home, `given-${keyVersion(current)}`)
    writeFileSync(given, `${current.toString('base64')}\n${masterKey.toString('base64')}\n`, { mode: 0o600 })
    const done = async () => {
      const rows = await old.store.across((db) =>
        db.selectFrom('dataKey').select('id').where('masterVersion', '=', keyVersion(current)).execute(),
      )
      return rows.length
    }
    const command = () => spawnCommand(['--json', 'keys', 'rewrap'], environmentOf(old, given))
    const doomed = command()
    await until(done, (count) => count >= batches * 100, 60_000)
    doomed.process.kill('SIGKILL')
    await doomed.ended
    const left = keysInAll - (await done())
    expect(left).toBeGreaterThan(0)
    const { stdout, stderr } = await command().ended
    // The signing key and the pepper of a start may not have been re-wrapped yet either.
    expect({ stderr, wrapped: (JSON.parse(stdout) as { wrapped: number }).wrapped }).toEqual({
      stderr: '',
      wrapped: left + 2,
    })
    expect(listKeyLines(readFileSync(given, 'utf8'))).toHaveLength(2)
    await using after = await testApp({ sharesDatabaseWith: old, keys: { current, old: [] } })
    const location = {
      organisationId: after.harbour.id,
      table: 'warehouse',
      column: 'writer_secret',
      row: after.harbour.id,
    }
    await after.store.within(after.harbour.id, async (db) => {
      expect(
        await after.services.secrets.decrypt(
          db,
          location,
          await after.services.secrets.encrypt(db, location, 'readable'),
        ),
      ).toBe('readable')
    })
    await after.as.admin.signIn()
  },
  180_000,
)

/** Adds as many data keys as a large installation has. All but one are retired keys of one organisation. */
async function fillWithKeys({ store, harbour, services }: TestApp, count: number): Promise<void> {
  const { key, version } = services.masters.wrappingKey()
  const rows = Array.from({ length: count }, (_, at) => {
    const own = { id: randomUUID(), organisationId: harbour.id }
    const wrapped = encrypt(key, randomBytes(32), dataKeyLocation(own))
    return { ...own, wrapped, masterVersion: version, retiredAt: at === 0 ? null : isoTime(services.clock.now()) }
  })
  // Across organisations, because keys are managed by the provider.
  await store.across((db) => db.insertInto('dataKey').values(rows).execute())
}

/** The environment that an operator sets for a command. */
function environmentOf(
  { connection: { host, port, user, password, database } }: TestApp,
  given: string,
): Record<string, string> {
  return {
    TRIBUTARY_MODE: 'production',
    DATABASE_URL: `postgres://${user}:${String(password)}@${host}:${port}/${database}`,
    TRIBUTARY_PUBLIC_URL: 'https://tributary.example.com',
    TRIBUTARY_SMTP_URL: 'smtp://127.0.0.1:25',
    TRIBUTARY_MASTER_KEY_FILE: given,
  }
}
