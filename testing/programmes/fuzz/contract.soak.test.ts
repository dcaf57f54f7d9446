/** Calls generated from the API description, one after another, by users of every role. Every response is checked. */
import type { AddressInfo } from 'node:net'
import { createRandom } from '@tributary/sims/random'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { verifyAuditChain } from '../../../server/src/security/audit/verify-chain.ts'
import { solveCaptcha } from '../../server/identity/captcha.ts'
import { insertFixtures, type RouteFixtures } from '../../server/app/every-route.ts'
import { planForLoads } from '../../server/excel/load-sheets.ts'
import { sourceDatabase } from '../../server/connectors/source-database.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'
import { isFull, seed, printFigure } from '../extent.ts'
import { Actors } from './actors.ts'
import { readDescription } from './description.ts'
import type { FuzzFixtures } from './names.ts'
import { kindOf, Pools } from './pools.ts'
import { FuzzProgramme } from './programme.ts'
import { RequestSender } from './send.ts'
import { StoreTruth } from './store-truth.ts'

const calls = isFull ? 50_000 : 2_500
/** How far each call advances the clock of sessions and rate limits. */
const stepMs = 150

let app: TestApp
let sender: RequestSender
let truth: StoreTruth
beforeAll(async () => {
  app = await testApp()
  await app.http.listen({ host: '127.0.0.1', port: 0 })
  sender = new RequestSender((app.http.server.address() as AddressInfo).port)
  truth = await StoreTruth.open(app.connection)
})
afterAll(async () => {
  sender.close()
  await truth[Symbol.asyncDispose]()
  await app[Symbol.asyncDispose]()
})

test(`[API-1] ${calls} calls generated from the API description get the documented responses, and none reaches another organisation (seed ${seed})`, async () => {
  const programme = await prepare()
  for (let count = 1; count <= calls; count += 1) {
    await programme.step()
    app.clock.advance(stepMs)
    if (count % 100 === 0) await tidy()
    if (count % 1_000 === 0) fixed.captcha = await solveCaptcha(app)
  }
  report(programme)
  expect([...programme.violations.values()]).toEqual([])
  // Guards against a run in which most calls are refused and therefore find nothing.
  expect(programme.successes.size).toBeGreaterThan(programme.operations.length / 2)
  expect(await truth.findCrossings()).toEqual([])
  for (const organisationId of [app.harbour.id, app.summit.id, null])
    expect((await verifyAuditChain(app.store, organisationId)).brokenAt).toBeNull()
  expect(await app.as.visitor.send('GET', '/readyz')).toMatchObject({ status: 200, body: { status: 'ready' } })
}, 3_600_000)

let fixed: FuzzFixtures

async function prepare(): Promise<FuzzProgramme> {
  const random = createRandom(seed)
  const description = readDescription(await sender.send({ method: 'GET', path: '/api/openapi.json', headers: {} }))
  const actors = new Actors(app)
  await actors.prepare()
  const pools = new Pools(actors.ids)
  const source = await sourceDatabase(
    'CREATE TABLE orders (id int PRIMARY KEY, note text); INSERT INTO orders VALUES (1, NULL)',
  )
  const things = [
    await insertFixtures(app, app.harbour, app.idOf('user')),
    await insertFixtures(app, app.summit, app.idOf('otherAdmin')),
  ]
  for (const each of things) learnThings(pools, each)
  const [admin, user] = [actors.idOf('admin') ?? '', actors.idOf('user') ?? '']
  for (const [name, id] of Object.entries(await planForLoads(app, [admin, user, app.idOf('user')])))
    pools.addId(app.harbour.id, kindOf(name.replace('june', 'milestone').replace('rates', 'helperTable')), id)
  fixed = {
    source: source.settings,
    keys: things.map(({ clientKey }) => clientKey),
    captcha: await solveCaptcha(app),
    serial: 0,
  }
  const organisations = [app.harbour.id, app.summit.id] as const
  return new FuzzProgramme({
    random,
    description,
    sender,
    actors,
    pools,
    fixed,
    truth,
    organisations,
    logLines: app.logLines,
  })
}

function learnThings(pools: Pools, things: RouteFixtures): void {
  for (const [name, id] of Object.entries(things))
    if (name.endsWith('Id')) pools.addId(things.clientId, kindOf(name), id)
  pools.addWord(`key ${things.clientId}`, things.connectorKey)
}

/** Resets settings that lock all users out. Those calls have been checked, and later calls must be able to succeed. */
async function tidy(): Promise<void> {
  await app.store.across(async (db) => {
    await db.updateTable('organisation').set({ archivedAt: null, requiresMfa: false }).execute()
    await db.deleteFrom('setting').execute()
    await db.deleteFrom('throttle').execute()
    const ended = { status: 'CANCELLED', completedAt: new Date() } as const
    await db.updateTable('run').set(ended).where('status', '=', 'QUEUED').execute()
  })
  app.clock.advance(5_001)
}

function report({ statuses, successes, violations, operations }: FuzzProgramme): void {
  const byStatus = [...statuses]
    .toSorted(([one], [other]) => one.localeCompare(other))
    .map(([status, count]) => `${status}: ${count}`)
  const never = operations.map(({ name }) => name).filter((name) => !successes.has(name))
  const often = [...successes.values()].filter((count) => count >= 10).length
  printFigure(`${calls} calls generated, ${violations.size} kinds of violations; by status ${byStatus.join(', ')}`)
  printFigure(
    `of ${operations.length} routes ${successes.size} succeeded, ${often} of them ten times or more; never: ${never.join(', ')}`,
  )
}
