/** Restores an old store while its targets have newer data. */
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SheetCell } from '@tributary/contract/cells'
import { connectors } from '@tributary/contract/connectors'
import { tableSync } from '@tributary/contract/table-sync'
import { type DatabaseEnd, type EndKind, makeEnd } from '@tributary/testing/engine/databases/database-ends.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startWorker } from '../../worker.ts'
import { systemClock } from '../../kernel/clock.ts'
import { GrantKeepAlive } from '../../connections/oauth/keep-grants-alive.ts'
import { LoadClient, loadDatabases, planForLoads } from '@tributary/testing/server/excel/load-sheets.ts'
import { RunDriver, type TestRun } from '@tributary/testing/server/connectors/run-driver.ts'
import { sourceDatabase } from '@tributary/testing/server/connectors/source-database.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { templateKeys } from '@tributary/testing/server/app/template-keys.ts'
import { createEmptyDatabase } from '@tributary/testing/server/app/test-database.ts'
import { xeroEnv, openXeroApp } from '@tributary/testing/server/connectors/xero-app.ts'
import { makeBackup } from './make-backup.ts'
import { restoreBackup } from './restore.ts'
import { makeIdentity } from './age-encryption.ts'
import { finaliseRestore } from './after-restore.ts'

let home: string
let pair: Awaited<ReturnType<typeof makeIdentity>>
beforeAll(async () => {
  home = mkdtempSync(join(tmpdir(), 'tributary-restored-'))
  pair = await makeIdentity()
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

/** Makes a backup. Returns a function that restores it as another server with a separate database. */
async function backUp(app: TestApp): Promise<() => Promise<TestApp>> {
  const file = join(home, `${Math.random().toString(36).slice(2)}.backup`)
  const lock = { recipients: [pair.recipient] }
  await makeBackup({
    connection: app.connection,
    keys: templateKeys,
    lock,
    productVersion: '1.0.0',
    to: createWriteStream(file),
  })
  return async () => {
    const connection = await createEmptyDatabase()
    await restoreBackup(connection, { file, unlock: { identities: [pair.identity] }, keys: templateKeys })
    const restored = await testApp({ sharesDatabaseWith: { ...app, connection } })
    await finaliseRestore(restored.services)
    return restored
  }
}

async function driverOf(app: TestApp): Promise<RunDriver> {
  return new RunDriver(app.as.admin, app.harbour.id, await sourceDatabase('SELECT 1'))
}

async function working<T>(app: TestApp, work: () => Promise<T>): Promise<T> {
  const worker = await startWorker({ ...app.services, clock: systemClock }, { leaseMs: 5_000, pollMs: 300 })
  try {
    return await work()
  } finally {
    await worker.stop()
  }
}

const tables = ['kept', 'moved', 'keyless'] as const

async function makeSource(): Promise<DatabaseEnd> {
  const source = await makeEnd('postgres', 'source')
  await source.run(`
    CREATE TABLE kept (id int PRIMARY KEY, name text, amount numeric(12,4));
    INSERT INTO kept SELECT n, 'row ' || n, n * 1.25 FROM generate_series(1, 3000) n;
    CREATE TABLE moved (one int, other int, note text, PRIMARY KEY (one, other));
    INSERT INTO moved SELECT n / 10, n % 10, 'note ' || n FROM generate_series(1, 500) n;
    CREATE TABLE keyless (a int); INSERT INTO keyless VALUES (1), (1), (NULL)`)
  return source
}

/** Inserts, updates and deletes rows. */
const change = (source: DatabaseEnd, step: number) =>
  source.run(`
    INSERT INTO kept SELECT ${step} * 10000 + n, 'new ' || n, n / 3.0 FROM generate_series(1, 200) n;
    UPDATE kept SET name = name || '!', amount = -amount WHERE id % 7 = ${step % 7};
    DELETE FROM kept WHERE id % 97 = ${step};
    UPDATE moved SET note = note || '${step}' WHERE one % 5 = ${step % 5};
    DELETE FROM moved WHERE one = ${step};
    DELETE FROM keyless; INSERT INTO keyless SELECT generate_series(1, ${step})`)

async function addConnector(app: TestApp, source: DatabaseEnd, target: DatabaseEnd): Promise<string> {
  const place = target.properties['target.connectionString'] as object
  const { status, body } = await app.as.admin.call(connectors.create, {
    params: { clientId: app.harbour.id },
    body: {
      type: 'postgres',
      name: 'Shop',
      properties: [
        { name: 'source.connectionString', value: source.properties['source.connectionString'] },
        { name: 'target.connectionString', value: { ...place, connector: target.kind } },
        { name: 'target.schema', value: target.properties['target.schema'] },
      ],
    },
  })
  if (status !== 201) throw new Error(JSON.stringify(body))
  return body.Id
}

async function expectEqual(source: DatabaseEnd, target: DatabaseEnd): Promise<void> {
  for (const table of tables)
    expect([table, await target.rows(await target.nameOf(`public.${table}`))]).toEqual([
      table,
      await source.rows(table),
    ])
}

// One run since the backup has the fencing token that the restored store issues next; two runs exceed it.
test.each([
  ['postgres', 2],
  ['mysql', 1],
] as const satisfies readonly (readonly [EndKind, number])[])(
  '[ENG-1] after an old store was restored, a %s target that has seen %i runs since is brought to what the source is, no row lost or doubled',
  async (kind, runsSince) => {
    await using source = await makeSource()
    await using target = await makeEnd(kind, 'target')
    await using app = await testApp()
    const driver = await driverOf(app)
    const id = await addConnector(app, source, target)
    const bringBack = await working(app, async () => {
      expect(await driver.runToEnd(id)).toMatchObject({ Status: 'COMPLETED' })
      await change(source, 1)
      expect(await driver.runToEnd(id)).toMatchObject({ Status: 'COMPLETED' })
      const backup = await backUp(app)
      for (let run = 0; run < runsSince; run += 1) {
        await change(source, 2 + run)
        expect(await driver.runToEnd(id)).toMatchObject({ Status: 'COMPLETED' })
      }
      await expectEqual(source, target)
      return backup
    })
    await using restored = await bringBack()
    await change(source, 8)
    await working(restored, async () => {
      const again = await driverOf(restored)
      expect(await again.runToEnd(id)).toMatchObject({ Status: 'COMPLETED', Notice: null })
      await expectEqual(source, target)
      await change(source, 9)
      const whole = new RunDriver(restored.as.superadmin, restored.harbour.id, await sourceDatabase('SELECT 1'))
      expect(await whole.runToEnd(id, { fullTransactionSync: true })).toMatchObject({ Status: 'COMPLETED' })
      await expectEqual(source, target)
    })
  },
)

describe('a restored store with a running run, an open session and an unsent email', () => {
  let app: TestApp
  let restored: TestApp
  let run: TestRun
  beforeAll(async () => {
    app = await testApp()
    const driver = await driverOf(app)
    const id = await driver.add('Nightly')
    const past = new Date(app.clock.now() - 3_600_000)
    await app.store.within(app.harbour.id, (db) =>
      db.updateTable('connector').set({ schedule: '0 * * * *', nextRunAt: past }).where('id', '=', id).execute(),
    )
    run = await driver.start(id)
    const waiting = {
      messageId: '<waits@example>',
      recipient: 'someone@example.com',
      template: 'reset',
      body: 'sealed',
    }
    await app.store.across((db) => db.insertInto('mail').values(waiting).execute())
    restored = await (await backUp(app))()
  })
  afterAll(async () => {
    await restored[Symbol.asyncDispose]()
    await app[Symbol.asyncDispose]()
  })

  test('fails the run, and its schedule continues with the next fire time instead of past ones', async () => {
    expect(await (await driverOf(restored)).read(run)).toMatchObject({
      Status: 'CANCELLED',
      Notice: expect.stringContaining('restored from a backup'),
    })
    const { nextRunAt } = await restored.store.within(app.harbour.id, (db) =>
      db.selectFrom('connector').select('nextRunAt').where('id', '=', run.connectorId).executeTakeFirstOrThrow(),
    )
    expect(Date.parse(nextRunAt ?? '')).toBeGreaterThan(app.clock.now())
  })

  test('ends the session, discards the email, and audits the restore', async () => {
    const former = await app.as.admin.session()
    const headers = { authorization: `Bearer ${former?.accessToken}` }
    expect((await app.as.visitor.send('GET', '/api/me/security', { headers })).status).toBe(200)
    expect((await restored.as.visitor.send('GET', '/api/me/security', { headers })).status).toBe(401)
    const [mail, events] = await restored.store.across(async (db) => [
      await db.selectFrom('mail').select(['sentAt', 'gaveUpAt', 'body', 'lastError']).executeTakeFirstOrThrow(),
      await db.selectFrom('auditEvent').select('detail').where('action', '=', 'store.restored').execute(),
    ])
    expect(mail).toMatchObject({
      sentAt: null,
      gaveUpAt: expect.any(String),
      body: null,
      lastError: 'restored from a backup',
    })
    expect(events).toEqual([
      { detail: expect.objectContaining({ mailsNotSent: 1, runsEnded: 1, madeAt: expect.any(String) }) },
    ])
    expect(await finaliseRestore(restored.services)).toBeNull()
  })
})

test('after a restore, administrators are asked to connect again if a token was renewed since the backup', async () => {
  await using world = await openXeroApp()
  await world.authorise(await world.browserOf(), { tenantIds: [world.tenant(0)] })
  const bringBack = await backUp(world.app)
  const { id } = await world.app.store.across((db) =>
    db.selectFrom('oauthGrant').select('id').executeTakeFirstOrThrow(),
  )
  const renew = async () => {
    world.app.clock.advance(8 * 86_400_000)
    await world.app.services.oauth.tokens.renew(id)
  }
  await renew()
  await renew()
  await using plain = await bringBack()
  await using restored = await testApp({ env: xeroEnv(world.xero, world.home), sharesDatabaseWith: plain })
  await new GrantKeepAlive().poll(restored.services)
  const { deadAt } = await restored.store.across((db) =>
    db.selectFrom('oauthGrant').select('deadAt').executeTakeFirstOrThrow(),
  )
  expect(deadAt).not.toBeNull()
  const letters = await restored.emailsTo('admin@demo.example')
  expect(letters.map(({ template }) => template)).toContain('authorisation-ended')
})

describe.each(loadDatabases.filter(({ name }) => name === 'MariaDB' || name === 'PostgreSQL'))(
  'own tables in $name',
  ({ open }) => {
    const columns = ['Amount']
    const sheet = (...amounts: readonly string[]) => ({
      columns,
      rows: amounts.map((amount): SheetCell[] => [{ n: amount }]),
    })

    test('[ENG-5] a load after the backup is reported with its author, is not undone by an older receipt, and the next load succeeds', async () => {
      await using app = await testApp()
      const plan = await planForLoads(app)
      const place = await open(app)
      const amounts = async () =>
        (await place.rowsOf('B2SBudget2026', columns)).map(([amount]) => Number(amount)).toSorted()
      const user = new LoadClient(app.as.user)
      const first = await user.load({ versionId: plan.versionId }, sheet('1'))
      const bringBack = await backUp(app)
      await user.load({ versionId: plan.versionId }, sheet('2'))
      await user.load({ versionId: plan.versionId }, sheet('3', '4'))
      await using restored = await bringBack()
      const again = new LoadClient(restored.as.user)
      expect((await again.undo(first.Id)).status).toBe(409)
      expect(await amounts()).toEqual([3, 4])
      const loadId = await again.begin({ versionId: plan.versionId }, sheet('5'))
      const { Slices, Seen } = await again.check(loadId)
      expect(Slices).toMatchObject([{ FormerRows: 2, FormerBy: expect.stringMatching(/receipt was lost/) }])
      expect((await again.commit(loadId, Seen)).body).toMatchObject({ Status: 'LOADED', RowsBefore: 2 })
      expect(await amounts()).toEqual([5])
    })

    test('tables created after the backup are reused after a restore', async () => {
      await using app = await testApp()
      const plan = await planForLoads(app)
      const place = await open(app)
      const bringBack = await backUp(app)
      const params = { clientId: app.harbour.id }
      expect((await app.as.admin.call(tableSync.synchronise, { params })).status).toBe(200)
      await new LoadClient(app.as.user).load({ versionId: plan.versionId }, sheet('1'))
      await using restored = await bringBack()
      const { status, body } = await restored.as.admin.call(tableSync.synchronise, { params })
      expect([status, body.Tables.filter(({ Outcome }) => Outcome === 'created')]).toEqual([200, []])
      await new LoadClient(restored.as.user).load({ versionId: plan.versionId }, sheet('2'))
      expect(await place.rowsOf('B2SBudget2026', columns)).toHaveLength(1)
    })
  },
)
