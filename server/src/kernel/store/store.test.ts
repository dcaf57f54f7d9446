import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { afterCommit, type Db } from './store.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

function rename(companyName: string, andThen: () => Promise<void> = async () => undefined): Promise<void> {
  return app.store.within(app.harbour.id, async (db) => {
    await db.updateTable('organisation').set({ companyName }).execute()
    await andThen()
  })
}
async function companyNames(): Promise<string[]> {
  const rows = await app.store.across((db) =>
    db.selectFrom('organisation').select('companyName').orderBy('companyName').execute(),
  )
  return rows.map((row) => row.companyName)
}

test('a transaction within an organisation reads and changes only its data', async () => {
  expect(
    await app.store.within(app.harbour.id, (db) => db.selectFrom('organisation').select('companyName').execute()),
  ).toEqual([{ companyName: 'Harbour Trading' }])
  await rename('Harbour & Co')
  expect(await companyNames()).toEqual(['Harbour & Co', 'Summit Foods'])
  await rename('Harbour Trading')
})

test('a failed transaction is rolled back, and its after-commit actions do not run', async () => {
  const followed: string[] = []
  await expect(
    app.store.within(app.harbour.id, async (db) => {
      afterCommit(db, () => followed.push('never'))
      await db.updateTable('organisation').set({ companyName: 'Lost' }).execute()
      throw new Error('no')
    }),
  ).rejects.toThrow('no')
  await app.store.within(app.harbour.id, async (db) => {
    afterCommit(db, () => followed.push('after'))
    followed.push('before')
  })
  expect([await companyNames(), followed]).toEqual([
    ['Harbour Trading', 'Summit Foods'],
    ['before', 'after'],
  ])
})

test('a transaction with a swallowed error of a statement fails', async () => {
  const swallowed = app.store.within(app.harbour.id, async (db) => {
    await db.updateTable('organisation').set({ companyName: 'Lost' }).execute()
    await sql`select 1/0`.execute(db).catch(() => undefined)
    return 'done'
  })
  await expect(swallowed).rejects.toThrow('rolled back')
  expect(await companyNames()).toEqual(['Harbour Trading', 'Summit Foods'])
})

test('a reused connection sees nothing of the previous organisation', async () => {
  const seen = await Promise.all(
    Array.from({ length: 40 }, (_, turn) => {
      const id = turn % 2 === 0 ? app.harbour.id : app.summit.id
      return app.store.within(id, async (db) => {
        const rows = await db.selectFrom('organisation').select('id').execute()
        return rows.length === 1 && rows[0]?.id === id
      })
    }),
  )
  expect(seen.every(Boolean)).toBe(true)
})

test('equal times have equal text, even though PostgreSQL omits trailing zeros', async () => {
  const times = [
    '2026-11-20 19:59:09',
    '2026-11-20 19:59:09.2',
    '2026-11-20 19:59:09.43',
    '2026-11-20 19:59:09.1234',
    'infinity',
  ]
  const { rows } = await app.store.across((db) =>
    sql<{
      readonly at: string
    }>`SELECT t::timestamptz AS at FROM unnest(${times}::text[]) WITH ORDINALITY AS u (t, n) ORDER BY n`.execute(db),
  )
  expect(rows.map(({ at }) => at)).toEqual([
    '2026-11-20T19:59:09.000Z',
    '2026-11-20T19:59:09.200Z',
    '2026-11-20T19:59:09.430Z',
    '2026-11-20T19:59:09.123400Z',
    'infinity',
  ])
})

test('bytes read from the store do not keep a slab of the buffer pool in memory', async () => {
  const read = (text: string) =>
    app.store.across((db) => sql<{ bytes: Buffer }>`SELECT ${text}::bytea AS bytes`.execute(db))
  for (const text of ['\\x', '\\x00ff10', `\\x${'ab'.repeat(100_000)}`]) {
    const { bytes } = (await read(text)).rows[0] ?? {}
    expect(bytes?.toString('hex')).toBe(text.slice(2))
    expect(bytes?.buffer.byteLength).toBe(bytes?.length)
  }
})

test('both transactions of a deadlock complete', async () => {
  const lock = (db: Db, id: string) =>
    db.selectFrom('organisation').select('id').where('id', '=', id).forUpdate().execute()
  const held = Promise.withResolvers<void>()
  let holding = 0
  const takeBoth = (first: string, second: string) =>
    app.store.across(async (db) => {
      await lock(db, first)
      holding += 1
      if (holding === 2) held.resolve()
      await held.promise
      await lock(db, second)
      return 'done'
    })
  const { harbour, summit } = app
  expect(await Promise.all([takeBoth(harbour.id, summit.id), takeBoth(summit.id, harbour.id)])).toEqual([
    'done',
    'done',
  ])
})

test('[SCALE-6] a transaction may be repeated if the store has ended its session, because no statement arrived for too long', async () => {
  const interrupted = app.store.within(app.harbour.id, async (db) => {
    await sql`SET LOCAL idle_in_transaction_session_timeout = 10`.execute(db)
    // Like a process that was suspended, or whose packets were lost: it has not read yet that the session is over.
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
    await sql`SELECT`.execute(db)
  })
  await expect(interrupted).rejects.toMatchObject({ code: 'unavailable', cause: { code: '25P03' } })
})

test('an organisation id must be a UUID, which prevents SQL injection into the setting', async () => {
  for (const id of ['*', '', "'; drop table run; --"])
    await expect(app.store.within(id, async () => 'in')).rejects.toThrow('named by its UUID')
})
