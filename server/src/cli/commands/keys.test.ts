import { randomBytes } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { listKeys, type KeyUsage } from '../../security/keys/key-rotation-cleanup.ts'
import { keyVersion, listKeyLines } from '../../kernel/config/master-keys.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { dropFormerMasters, renewMaster } from './master-key.ts'
import { spawnCommand } from '@tributary/testing/server/cli/spawn-command.ts'
import { lockForTransaction } from '../../kernel/store/locks.ts'

const home = mkdtempSync(join(tmpdir(), 'tributary-key-commands-'))
const file = join(home, 'master-key')
const first = randomBytes(32)
let app: TestApp
beforeAll(async () => {
  writeFileSync(file, `${first.toString('base64')}\n`, { mode: 0o600 })
  app = await testApp({ keys: { current: first, old: [], file } })
  const place = { organisationId: app.harbour.id, table: 'connector', column: 'webhook_secret', row: 'x' }
  await app.store.within(app.harbour.id, (db) => app.services.secrets.encrypt(db, place, 'x'))
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  rmSync(home, { recursive: true })
})

function keys(words: string, master: Readonly<Record<string, string>> = { TRIBUTARY_MASTER_KEY_FILE: file }) {
  const { host, port, user, password, database } = app.connection
  const env = {
    TRIBUTARY_MODE: 'production',
    DATABASE_URL: `postgres://${user}:${String(password)}@${host}:${port}/${database}`,
    TRIBUTARY_PUBLIC_URL: 'https://tributary.example.com',
    TRIBUTARY_SMTP_URL: 'smtp://127.0.0.1:25',
    ...master,
  }
  return spawnCommand(['--json', 'keys', ...words.split(' ')], env).ended
}

interface ListedKeys {
  readonly masters: { readonly wrapping: number; readonly others: readonly number[] }
  readonly keys: readonly KeyUsage[]
}

test('keys list shows age and uses, and never a key itself', async () => {
  const ended = await keys('list')
  expect(ended).toMatchObject({ code: 0, stderr: '' })
  const listed = ended.json<ListedKeys>()
  expect(listed.masters).toEqual({ wrapping: keyVersion(first), others: [] })
  expect(listed.keys.map(({ kind }) => kind).toSorted()).toEqual(['data', 'pepper', 'signing'])
  expect(listed.keys.every(({ masterVersion }) => masterVersion === keyVersion(first))).toBe(true)
  expect(ended.stdout).not.toContain(first.toString('base64').slice(0, 12))
})

test('the master key is rotated in its file, whose mode is kept; the former key can be removed once it is unused', async () => {
  const { json, stderr } = await keys('rotate master')
  expect(stderr).toBe('')
  const { version, wrapped } = json<{ version: number; wrapped: number }>()
  expect(wrapped).toBe(3)
  expect(listKeyLines(readFileSync(file, 'utf8'))).toHaveLength(2)
  expect(statSync(file).mode & 0o777).toBe(0o600)
  // The running server got no notification: it reads the file itself.
  await app.as.admin.signIn()
  expect((await keys('retire master')).json()).toEqual({ version })
  expect(listKeyLines(readFileSync(file, 'utf8'))).toHaveLength(1)
  expect((await keys('list')).json<ListedKeys>().masters).toEqual({ wrapping: version, others: [] })
})

test('only one command at a time changes the master key, so that a key that wraps others is never lost', async () => {
  const { services } = app
  const before = readFileSync(file, 'utf8')
  const changes = await services.store.across(async (db) => {
    await lockForTransaction(db, 'serverKeys')
    const both = [renewMaster(services), renewMaster(services)]
    while ((await countWaiting()) < both.length) await sleep(10)
    expect(readFileSync(file, 'utf8')).toBe(before)
    return { both }
  })
  await Promise.all(changes.both)
  const inFile = listKeyLines(readFileSync(file, 'utf8')).map((line) => keyVersion(Buffer.from(line, 'base64')))
  expect(inFile).toHaveLength(3)
  const listed = await services.store.across((db) => listKeys(db, services.clock.now()))
  expect(new Set(listed.map(({ masterVersion }) => masterVersion))).toEqual(new Set(inFile.slice(0, 1)))
  await dropFormerMasters(services)
})

/** Uses a new transaction for each call, because within one transaction the statistics do not change. */
async function countWaiting(): Promise<number> {
  const waiting = sql`select from pg_stat_activity where datname = current_database() and wait_event = 'advisory'`
  return (await app.store.across((db) => waiting.execute(db))).rows.length
}

test('key commands that would end sessions, or cannot be done, are refused with a code', async () => {
  const { json: read } = await keys('rotate signing')
  const { id } = read<{ id: string }>()
  const signing = (await keys('list')).json<ListedKeys>().keys.filter(({ kind }) => kind === 'signing')
  expect(signing[0]?.id).toBe(id)
  const inEnvironment = { TRIBUTARY_MASTER_KEY: readFileSync(file, 'utf8').trim() }
  const refusals = [
    [await keys(`retire ${id}`), 'keyCurrent'],
    [await keys(`retire ${signing[1]?.id}`), 'keyInUse'],
    [await keys('retire 7'), 'noKey'],
    [await keys('rotate everything'), 'noKind'],
    [await keys('rotate pepper --organisation harbour-trading'), 'notOfOrganisation'],
    [await keys('rotate data --organisation nobody'), 'noOrganisation'],
    [await keys('rotate master', inEnvironment), 'masterKeyInEnvironment'],
    [await keys('list', { TRIBUTARY_MASTER_KEY: randomBytes(32).toString('base64') }), 'wrongMasterKey'],
  ] as const
  for (const [{ code, stdout, stderr }, refusal] of refusals) {
    expect({ code, stdout: stdout + stderr }).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(`"${refusal}"`),
    })
    expect(stdout + stderr).not.toContain(inEnvironment.TRIBUTARY_MASTER_KEY.slice(0, 12))
  }
  expect((await keys(`retire ${signing[1]?.id} --force`)).code).toBe(0)
  expect((await keys('rotate data --organisation harbour-trading')).json()).toEqual({ keys: 1, values: 0 })
})
