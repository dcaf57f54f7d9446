import { spawn, type ChildProcess } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { CheckResult } from '@tributary/contract/connectors'
import type { SessionReply } from '@tributary/contract/sign-in'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { startMailServer } from '@tributary/testing/server/identity/mail-server.ts'
import { findFreePort } from '@tributary/testing/databases/free-port.ts'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'
import { createEmptyDatabase } from '@tributary/testing/server/app/test-database.ts'
import { trialOrganisations, trialPassword, trialPeople } from './trial/people.ts'

const main = join(import.meta.dirname, 'main.ts')
let home: string
let port: number
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'tributary-main-'))
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  port = (probe.address() as AddressInfo).port
  probe.close()
})
const started: ChildProcess[] = []
afterEach(async () => {
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue
    child.kill('SIGTERM')
    await once(child, 'exit')
  }
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

interface StartedServer {
  readonly process: ChildProcess
  readonly output: () => string
}

/** Rejects a promise without a handler on SIGUSR2. */
const unhandledRejection = `process.on('SIGUSR2', () => Promise.reject(new Error('not handled')))`

function start(env: Readonly<Record<string, string>> = {}): StartedServer {
  const child = spawn(
    process.execPath,
    ['--import', `data:text/javascript,${encodeURIComponent(unhandledRejection)}`, main],
    {
      env: { PATH: process.env['PATH'] ?? '', TRIBUTARY_DATA_DIR: home, PORT: String(port), ...env },
    },
  )
  started.push(child)
  let output = ''
  child.stdout.on('data', (part: Buffer) => (output += part.toString()))
  child.stderr.on('data', (part: Buffer) => (output += part.toString()))
  return { process: child, output: () => output }
}

async function ready({ process: child, output }: StartedServer): Promise<void> {
  while (!output().includes('Stop with Ctrl-C')) {
    if (child.exitCode !== null) throw new Error(output())
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

async function refusal(env: Readonly<Record<string, string>>): Promise<string> {
  const started = start(env)
  const [code] = (await once(started.process, 'close')) as [number]
  expect(code).toBe(1)
  return started.output()
}

/**
 * Tests a connection to Cin7 Core at a port of this machine, with an unknown key. Returns the notice of the failed
 * step.
 */
async function checkCin7At(cin7Port: number): Promise<string> {
  const call = (path: string, body: object, headers = {}) =>
    fetch(`http://127.0.0.1:${port}/api/${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', ...headers },
    })
  const signedIn = await call('auth/signin', { emailAddress: 'admin@demo.example', password: trialPassword })
  const { accessToken } = (await signedIn.json()) as SessionReply
  const key = '11111111-2222-4333-8444-555555555555'
  const settings = {
    'cin7.accountId': key,
    'cin7.applicationKey': key,
    'cin7.address': `http://127.0.0.1:${cin7Port}/`,
  }
  const properties = Object.entries(settings).map(([name, value]) => ({ name, value }))
  const path = `tributary/clients/${trialOrganisations[0].id}/connectors/check`
  const reply = await call(path, { type: 'cin7', properties }, { authorization: `Bearer ${accessToken}` })
  const results = (await reply.json()) as readonly CheckResult[]
  return results.find(({ Outcome }) => Outcome === 'failed')?.Notice ?? ''
}

test('a trial starts without configuration, prints its address, accounts and mailbox; every account can sign in; connectors reach only its own simulators; an unhandled rejection is logged, and the process exits with 1 after a clean stop', async () => {
  const first = start()
  await ready(first)
  expect(first.output()).toContain(`Tributary is ready: http://localhost:${port}`)
  expect(first.output()).toContain(`http://localhost:${port}/mailbox`)
  for (const { emailAddress } of trialPeople) {
    expect(first.output()).toContain(emailAddress)
    const body = JSON.stringify({ emailAddress, password: trialPassword })
    const reply = await fetch(`http://127.0.0.1:${port}/api/auth/signin`, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json' },
    })
    expect(reply.status).toBe(200)
  }
  for (const path of ['/healthz', '/readyz']) expect((await fetch(`http://127.0.0.1:${port}${path}`)).status).toBe(200)

  expect(await checkCin7At(port)).toContain('it is an internal address')
  expect(await checkCin7At(await findFreePort())).toContain('it is an internal address')
  expect(await checkCin7At(Number(readFileSync(join(home, 'cin7-port'), 'utf8')))).toMatch(
    /^Cin7 Core does not know the requested address/,
  )

  const second = await refusal({ TRIBUTARY_DATA_DIR: `${home}-other` })
  rmSync(`${home}-other`, { recursive: true, force: true })
  expect(second.trim()).toBe(
    `Port ${port} is in use by another program. Stop that program, or choose another port: PORT=${port + 1} npm start`,
  )

  const database = join(home, 'postgres', 'postmaster.pid')
  expect(existsSync(database)).toBe(true)
  first.process.kill('SIGUSR2')
  expect(await once(first.process, 'close')).toEqual([1, null])
  expect(first.output()).toMatch(/error unhandled error; the process exits\n {4}not handled\n/u)
  expect(existsSync(database)).toBe(false)
})

test('production reports all missing and weak settings at once, as JSON, and does not start', async () => {
  const output = await refusal({
    TRIBUTARY_MODE: 'production',
    TRIBUTARY_MASTER_KEY: 'changeme',
    DATABASE_URL: 'postgres://user:canary-password@127.0.0.1:1/tributary',
  })
  expect(JSON.parse(output)).toMatchObject({
    level: 'error',
    msg: expect.stringMatching(/^Tributary does not start:\n/u),
  })
  for (const name of ['TRIBUTARY_MASTER_KEY', 'TRIBUTARY_PUBLIC_URL', 'TRIBUTARY_SMTP_URL', 'DATABASE_URL'])
    expect(output).toContain(`  - ${name}`)
  expect(output).not.toMatch(/canary|changeme/u)
})

test('production starts with a complete configuration; the code on the console creates the first superadmin, who signs in with a code by mail', async () => {
  await using smtp = await startMailServer()
  const { user, password, host, port: databasePort, database } = await createEmptyDatabase()
  const product = start({
    TRIBUTARY_MODE: 'production',
    DATABASE_URL: `postgres://${String(user)}:${String(password)}@${String(host)}:${String(databasePort)}/${String(database)}?sslmode=disable`,
    TRIBUTARY_PUBLIC_URL: 'https://tributary.example.com',
    TRIBUTARY_MASTER_KEY: randomBytes(32).toString('base64'),
    TRIBUTARY_SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
  })
  const code = await printed(product, /works once:\s+([^\s"]+)/u)
  await untilReady(`http://127.0.0.1:${port}/readyz`)

  const person = { emailAddress: 'first@tributary.example.com', password: 'correct-horse-7' }
  const created = await post('/api/auth/first-superadmin', { ...person, code, firstName: 'First', lastName: 'Person' })
  expect(created.status).toBeLessThan(300)
  const challenge = (await (await post('/api/auth/signin', person)).json()) as {
    readonly verificationReference: string
  }
  const mailed = await until(
    async () => smtp.received.find(({ recipients }) => recipients.includes(person.emailAddress))?.email.text,
    (text) => text !== undefined,
  )
  const [verificationCode] = /\b\d{6}\b/u.exec(mailed ?? '') ?? []
  const session = await post('/api/auth/signin', {
    verificationReference: challenge.verificationReference,
    verificationCode,
  })
  expect(await session.json()).toMatchObject({ role: 'superadmin', roleLevel: 0 })
  expect(
    (await post('/api/auth/first-superadmin', { ...person, code, firstName: 'Second', lastName: 'Person' })).status,
  ).toBe(403)
  expect((await post('/api/auth/signin', { emailAddress: 'admin@demo.example', password: trialPassword })).status).toBe(
    401,
  )
  expect(product.output()).not.toContain('canary')

  product.process.kill('SIGUSR2')
  expect(await once(product.process, 'close')).toEqual([1, null])
  // A log collector can parse all lines, including the code and the reason of the exit.
  const lines = product.output().trim().split('\n')
  const entries = lines.map(
    (line) => JSON.parse(line) as { level: string; role: string; msg: string; error?: { message: string } },
  )
  for (const entry of entries)
    expect(entry).toMatchObject({ level: expect.any(String), role: 'all', msg: expect.any(String) })
  expect(entries.filter(({ level }) => level === 'error')).toMatchObject([
    { msg: 'unhandled error; the process exits', error: { message: 'not handled' } },
  ])
})

function post(path: string, body: object): Promise<Response> {
  const headers = { 'content-type': 'application/json' }
  return fetch(`http://127.0.0.1:${port}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
}

async function printed({ process: child, output }: StartedServer, pattern: RegExp): Promise<string> {
  for (;;) {
    const value = pattern.exec(output())?.[1]
    if (value !== undefined) return value
    if (child.exitCode !== null) throw new Error(output())
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}

async function untilReady(address: string): Promise<void> {
  while (
    !(await fetch(address).then(
      (answer) => answer.ok,
      () => false,
    ))
  )
    await new Promise((resolve) => setTimeout(resolve, 25))
}
