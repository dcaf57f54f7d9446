import { Client } from 'pg'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import {
  lockForSession,
  lockForTransaction,
  type SessionLock,
  sessionLocks,
  type TransactionLock,
  transactionLocks,
  transactionLockStatement,
  tryLockForSession,
  tryLockForTransaction,
} from './locks.ts'
import {
  addressOf,
  bodyOf,
  everyRoute,
  insertFixtures,
  type RouteFixtures,
} from '@tributary/testing/server/app/every-route.ts'
import { takenLockPairs, takeLockViolations } from '@tributary/testing/server/app/lock-order.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

/** The keys of version 0.1 as SQL; `$1` is the subject. During a rolling upgrade processes of both versions run side by side. */
const keysOfVersion01: Readonly<Record<TransactionLock | SessionLock, string>> = {
  runSweep: '7461893',
  runClaims: 'hashtextextended($1, 1)',
  accountAddress: `hashtextextended('account ' || $1, 0)`,
  organisationKeys: `hashtextextended('organisations', 0)`,
  superadmins: `hashtextextended('superadmins', 0)`,
  erasedNumbers: `hashtextextended('erased people', 0)`,
  serverKeys: `hashtextextended('server keys', 0)`,
  connectorNames: 'hashtextextended($1, 2)',
  physicalTables: `hashtextextended('tables ' || $1, 0)`,
  links: `hashtextextended('links ' || $1, 0)`,
  auditChain: `hashtextextended('audit ' || $1, 0)`,
  readyByPlans: `hashtextextended('ready by', 0)`,
  ownDatabase: `hashtextextended('own database', 3)`,
  dataFolder: '7461889',
  dataFolderUse: '7461892',
  migrations: '7461890',
  warehouse: 'hashtextextended($1, 3)',
  warehouseMove: `hashtextextended('warehouse move', 0)`,
}
const transactionNames = Object.keys(transactionLocks) as TransactionLock[]
const sessionNames = Object.keys(sessionLocks) as SessionLock[]
const inHand = `SELECT (classid::bigint << 32 | objid::bigint)::text AS key FROM pg_locks
  WHERE locktype = 'advisory' AND pid = pg_backend_pid()`

let app: TestApp
let ours: RouteFixtures
beforeAll(async () => {
  app = await testApp()
  ours = await insertFixtures(app, app.harbour, app.idOf('user'))
})
afterAll(() => app[Symbol.asyncDispose]())

/** The subject of a lock; locks without `$1` have none. */
function subjectOf(name: TransactionLock | SessionLock): string {
  return keysOfVersion01[name].includes('$1') ? ours.clientId : ''
}

async function keyOfVersion01(client: Client, name: TransactionLock | SessionLock): Promise<string> {
  const text = keysOfVersion01[name].replace('$1', `'${subjectOf(name)}'`)
  const { rows } = await client.query<{ key: string }>(`SELECT (${text})::bigint::text AS key`)
  return rows[0]?.key ?? ''
}

test('each lock has its own key, and the key of version 0.1', async () => {
  const client = new Client(app.connection)
  await client.connect()
  const keys = new Map<string, string>()
  for (const name of transactionNames) {
    const { rows } = await app.store.across(async (db) => {
      await lockForTransaction(db, name, subjectOf(name))
      return sql<{ key: string }>`${sql.raw(inHand)}`.execute(db)
    })
    expect([name, rows]).toEqual([name, [{ key: await keyOfVersion01(client, name) }]])
    keys.set(name, rows[0]?.key ?? '')
  }
  for (const name of sessionNames) {
    const holder = new Client(app.connection)
    await holder.connect()
    await lockForSession(holder, name, { subject: subjectOf(name) })
    const { rows } = await holder.query<{ key: string }>(inHand)
    await holder.end()
    expect([name, rows]).toEqual([name, [{ key: await keyOfVersion01(client, name) }]])
    keys.set(name, rows[0]?.key ?? '')
  }
  expect(new Set(keys.values()).size).toBe(transactionNames.length + sessionNames.length)
  await client.query(`BEGIN; ${transactionLockStatement('ownDatabase')}`)
  expect((await client.query(inHand)).rows).toEqual([{ key: keys.get('ownDatabase') }])
  await client.end()
})

test('a held lock cannot be taken, and shared locks do not exclude each other', async () => {
  const [one, other] = [new Client(app.connection), new Client(app.connection)]
  await Promise.all([one.connect(), other.connect()])
  await lockForSession(one, 'migrations', { mode: 'shared' })
  expect(await tryLockForSession(other, 'migrations', { mode: 'shared' })).toBe(true)
  expect(await tryLockForSession(other, 'migrations')).toBe(false)
  await Promise.all([one.end(), other.end()])
  await app.store.across(async (db) => {
    expect(await tryLockForTransaction(db, 'runSweep')).toBe(true)
    expect(await app.store.across((second) => tryLockForTransaction(second, 'runSweep'))).toBe(false)
  })
  expect(await app.store.across((db) => tryLockForTransaction(db, 'runSweep'))).toBe(true)
})

test('calls take several locks in the declared order', async () => {
  const calls = [
    'POST /organisations',
    'POST /invitations',
    'POST /versions',
    'POST /tributary/clients/:clientId/connectors',
    'PUT /areas/:areaId/subareas',
    'DELETE /users/:userId',
  ]
  for (const named of everyRoute.filter(({ name }) => calls.includes(name))) {
    const { status } = await app.as.superadmin.send(named.route.method, addressOf(named, ours), bodyOf(named, ours))
    expect([named.name, status < 300]).toEqual([named.name, true])
  }
  expect([...takenLockPairs]).toEqual(
    expect.arrayContaining([
      'organisationKeys, auditChain',
      'physicalTables, auditChain',
      'connectorNames, auditChain',
      'links, auditChain',
      'erasedNumbers, auditChain',
    ]),
  )
  expect(takeLockViolations()).toEqual([])
})

test('a lock taken out of order is detected, and a held lock may be taken again', async () => {
  await app.store.within(ours.clientId, async (db) => {
    await lockForTransaction(db, 'links', ours.clientId)
    await lockForTransaction(db, 'auditChain', ours.clientId)
    await lockForTransaction(db, 'links', ours.clientId)
    expect(takeLockViolations()).toEqual([])
    await lockForTransaction(db, 'connectorNames', ours.clientId)
  })
  expect(takeLockViolations()).toEqual(['connectorNames after links', 'connectorNames after auditChain'])
})
