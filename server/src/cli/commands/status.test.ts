import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { productVersion } from '../../kernel/product-version.ts'
import { runInProcess, testConsole, type TestConsole } from '@tributary/testing/server/cli/admin-console.ts'

let console: TestConsole
let home: string
beforeAll(async () => {
  console = await testConsole()
  home = mkdtempSync(join(tmpdir(), 'tributary-bundle-'))
})
afterAll(async () => {
  rmSync(home, { recursive: true })
  await console[Symbol.asyncDispose]()
})

test('status shows versions, waiting runs and mail, and the last backup', async () => {
  const { code, json } = await console.run('status', '--json')
  expect(code).toBe(0)
  expect(json()).toMatchObject({
    version: productVersion(),
    runs: { queued: 0, running: 0 },
    mailWaiting: 0,
    workers: [],
    lastBackupAt: null,
  })
  expect((await console.run('status')).stdout).toMatch(/^Last backup +none$/mu)
})

test('an organisation is created, shown and archived; creation and archiving are in the audit log', async () => {
  expect(await console.run('organisation', 'create', 'Nordlys', '--time-zone', 'Europe/Oslo')).toMatchObject({
    code: 0,
    stdout: 'Created Nordlys, with the key nordlys.\n',
  })
  expect((await console.run('organisation', 'show', 'nordlys', '--json')).json()).toMatchObject({
    timeZone: 'Europe/Oslo',
    people: 0,
    connectors: 0,
  })
  expect((await console.run('organisation', 'create', 'NORDLYS')).stderr).toBe(
    'There is already one with the name NORDLYS. Choose another name.\n',
  )
  expect((await console.run('organisation', 'create', 'Other', '--time-zone', 'Mars')).code).toBe(1)
  await console.run('organisation', 'archive', 'nordlys')
  const listed = await console.run('organisation', 'list')
  expect(listed.stdout).toMatch(/^nordlys +Nordlys +Europe\/Oslo +archived$/mu)
  // Across: these events belong to the provider.
  const events = await console.app.store.across((db) =>
    db
      .selectFrom('auditEvent')
      .select(['action', 'actorRole'])
      .where('action', 'like', 'organisation.%')
      .orderBy('id')
      .execute(),
  )
  expect(events).toEqual([
    { action: 'organisation.created', actorRole: 'operator' },
    { action: 'organisation.archived', actorRole: 'operator' },
  ])
})

test('the support bundle holds no secret, no person’s name and no address, and overwrites nothing', async () => {
  const file = join(home, 'bundle.json')
  const env: Readonly<Record<string, string>> = { ...console.env, TRIBUTARY_PUBLIC_URL: 'https://localhost:1' }
  expect((await runInProcess(['support-bundle', '--to', file], env)).code).toBe(0)
  const text = readFileSync(file, 'utf8')
  expect(JSON.parse(text)).toMatchObject({ status: { version: productVersion() }, recentFaults: [], machine: {} })
  for (const secret of [
    String(env['TRIBUTARY_MASTER_KEY']),
    String(console.app.connection.password),
    'Amara',
    '@demo.example',
  ])
    expect(text).not.toContain(secret)
  expect((await runInProcess(['support-bundle', '--to', file, '--json'], env)).json()).toMatchObject({
    error: { code: 'notWritten' },
  })
})

test('control characters in a name are replaced when it is printed', async () => {
  await console.app.store.across((db) =>
    db
      .updateTable('portalUser')
      .set({ firstName: '\u001B[2J\u202EEvil' })
      .where('emailAddress', '=', 'guest@demo.example')
      .execute(),
  )
  const { stdout } = await console.run('user', 'list')
  expect(stdout).toContain('Evil')
  for (const sign of ['\u001B', '\u202E']) expect(stdout).not.toContain(sign)
})
