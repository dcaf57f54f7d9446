/** Kills servers in the middle of a load or an undo: a few seeded kills as a slice, forty with `npm run soak`. */
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { loads } from '@tributary/contract/loads'
import type { SheetCell } from '@tributary/contract/cells'
import { createRandom } from '@tributary/sims/random'
import pg from 'pg'
import { afterEach, expect, test } from 'vitest'
import {
  LoadClient,
  loadDatabases,
  type OpenLoadDatabase,
  planForLoads,
  type PlanFixture,
} from '../../server/excel/load-sheets.ts'
import { type SpawnedServer, spawnServer } from '../../server/processes/spawn-server.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'
import { isFull, seed } from '../extent.ts'

const kills = isFull ? 40 : 3

/** When the server dies. */
const moments = ['before the table is written', 'once the table is written and nothing else', 'at random'] as const
type KillMoment = (typeof moments)[number]
const acts = ['load', 'undo'] as const
/** Amounts of the slice, kinds in the change log, and status of the earlier load, before and after each action. */
const before = { amounts: [1, 2], kinds: [], former: 'LOADED' }
const after = {
  load: { amounts: [1, 5, 6], kinds: ['changed', 'added'], former: 'LOADED' },
  undo: { amounts: [], kinds: ['removed', 'removed'], former: 'UNDONE' },
}

const random = createRandom(seed)
const [postgres, mariadb] = loadDatabases
const plan = Array.from({ length: kills }, (_, at) => ({
  moment: moments[(at + 1) % moments.length] ?? 'at random',
  act: acts[Math.floor(at / 2) % acts.length] ?? 'load',
  target: at % 2 === 0 ? postgres : mariadb,
  name: at % 2 === 0 ? 'PostgreSQL' : 'MariaDB',
  afterMs: random.between(0, 120),
}))

let app: TestApp
afterEach(() => app[Symbol.asyncDispose]())

const table = 'B2SBudget2026'
const sliceTable = `tributary_slice_${table}`
const storeLock = 7_461_902
const sheet = (amounts: readonly number[]) => ({
  columns: ['Amount'],
  rows: amounts.map((amount): SheetCell[] => [{ n: String(amount) }]),
})

test.each(plan)(
  `[ENG-5] a server that is killed $moment ($act, $name, $afterMs ms) leaves a load that is complete or absent, and receipt, change log and table agree (seed ${seed})`,
  async ({ moment, act, target, afterMs }) => {
    const masterKey = randomBytes(32)
    app = await testApp({ keys: { current: masterKey, old: [] } })
    if (target === undefined) throw new Error('There is no such load database.')
    const opened = await target.open(app)
    const { versionId } = await planForLoads(app)
    const user = new LoadClient(app.as.user)
    const first = await user.load({ versionId }, sheet([1, 2]))
    await using server = await spawnServer(app, masterKey, 'user@demo.example')
    const { loadId, path, body } =
      act === 'load' ? await prepareLoad(user, versionId) : { loadId: null, ...prepareUndo(first.Id) }
    const request = { server, opened, afterMs, send: () => server.post(path, body).catch(() => 0) }
    await killAt(moment, request)
    await endLease()
    await expectConsistent({ user, opened, moment, act, undone: first.Id, loadId })
    // Later loads succeed.
    expect(await user.load({ versionId }, sheet([9]))).toMatchObject({ Status: 'LOADED' })
    expect(await amountsIn(opened)).toEqual([9])
  },
  180_000,
)

async function prepareLoad(user: LoadClient, versionId: PlanFixture['versionId']) {
  const loadId = await user.begin({ versionId }, sheet([1, 5, 6]))
  return { loadId, path: `/api/loads/${loadId}/commit`, body: { seen: (await user.check(loadId)).Seen } }
}

function prepareUndo(loadId: string) {
  return { path: `/api/loads/${loadId}/undo`, body: { source: 'portal' } }
}

interface KillRequest {
  readonly server: SpawnedServer
  readonly opened: OpenLoadDatabase
  readonly afterMs: number
  readonly send: () => Promise<number>
}

/** How the writer is blocked at each moment, and how to detect that it has arrived there. */
const waits: Readonly<
  Record<
    KillMoment,
    {
      hold(opened: OpenLoadDatabase): Promise<AsyncDisposable | null>
      isThere(opened: OpenLoadDatabase): Promise<boolean>
    }
  >
> = {
  'before the table is written': {
    hold: (opened) => opened.hold(sliceTable),
    isThere: async () => (await latest()).status === 'COMMITTING',
  },
  'once the table is written and nothing else': {
    hold: () => holdReceipts(),
    async isThere({ rowsOf }) {
      const { id, status } = await latest()
      return status === 'COMMITTING' && (await rowsOf(sliceTable, ['LoadId'])).flat().includes(id)
    },
  },
  'at random': { hold: () => Promise.resolve(null), isThere: () => Promise.resolve(true) },
}

async function killAt(moment: KillMoment, { server, opened, afterMs, send }: KillRequest): Promise<void> {
  const { hold, isThere } = waits[moment]
  const held = await hold(opened)
  const reply = send()
  for (let look = 0; !(await isThere(opened)); look++) {
    if (look === 1_000) throw new Error('The load did not reach that moment.')
    await sleep(20)
  }
  await sleep(afterMs)
  await server.kill()
  await held?.[Symbol.asyncDispose]()
  await reply
}

/** Blocks the statement that sets a load to LOADED. */
async function holdReceipts(): Promise<AsyncDisposable> {
  const client = new pg.Client(app.connection)
  await client.connect()
  await client.query(`SELECT pg_advisory_lock(${storeLock});
    CREATE FUNCTION wait_for_test() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF NEW.status = 'LOADED' THEN PERFORM pg_advisory_xact_lock(${storeLock}); END IF; RETURN NEW; END $$;
    CREATE TRIGGER wait_for_test BEFORE UPDATE ON load FOR EACH ROW EXECUTE FUNCTION wait_for_test()`)
  return {
    async [Symbol.asyncDispose]() {
      await client.query('SELECT pg_advisory_unlock_all()')
      await client.query('DROP TRIGGER wait_for_test ON load')
      await client.end()
    },
  }
}

function latest() {
  return app.store.within(app.harbour.id, (db) =>
    db.selectFrom('load').select(['id', 'status']).orderBy('beganAt', 'desc').limit(1).executeTakeFirstOrThrow(),
  )
}

/** Ends the lease, as half a minute without renewal would. */
async function endLease(): Promise<void> {
  await app.store.within(app.harbour.id, (db) => db.updateTable('tableSync').set({ busyUntil: null }).execute())
}

interface KilledLoad {
  readonly user: LoadClient
  readonly opened: OpenLoadDatabase
  readonly moment: KillMoment
  readonly act: (typeof acts)[number]
  readonly undone: string
  /** Null for an undo, which creates a separate load. */
  readonly loadId: string | null
}

/** Statuses that a load may have after the kill; undefined if no load exists. */
const endings = {
  'before the table is written': ['FAILED'],
  'once the table is written and nothing else': ['LOADED'],
  'at random': ['LOADED', 'FAILED', 'RECEIVING', undefined],
} as const satisfies Record<KillMoment, readonly unknown[]>

async function expectConsistent({ user, opened, moment, act, undone, loadId }: KilledLoad): Promise<void> {
  const listed = (await user.client.call(loads.list)).body
  const found = listed.find(({ Id, Undoes }) => (loadId === null ? Undoes === undone : Id === loadId))
  expect(endings[moment]).toContain(found?.Status)
  const { whose, amounts, kinds, former } =
    found?.Status === 'LOADED' ? { ...after[act], whose: found.Id } : { ...before, whose: undone }
  expect(await amountsIn(opened)).toEqual(amounts)
  const params = { loadId: found?.Id ?? undone }
  const changes = (await user.client.call(loads.changes, { params })).body.filter(() => found !== undefined)
  expect(changes.map(({ Kind }) => Kind)).toEqual(kinds)
  expect((await user.read(undone)).Status).toBe(former)
  const holders = await opened.rowsOf(sliceTable, ['LoadId', 'Rows'])
  expect(holders.map(([id, rows]) => [id?.toLowerCase(), Number(rows)])).toEqual([[whose, amounts.length]])
}

async function amountsIn({ rowsOf }: OpenLoadDatabase): Promise<readonly number[]> {
  return (await rowsOf(table, ['Amount'])).map(([amount]) => Number(amount)).toSorted((one, other) => one - other)
}
