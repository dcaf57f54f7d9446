/** Moves whose worker is killed before and within each step, and readers meanwhile. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { data } from '@tributary/contract/data'
import { type DataServerProcess, startDataServer } from '@tributary/testing/databases/data-server.ts'
import { openDataFixture } from '@tributary/testing/server/access/data-fixture.ts'
import { runAs, writerOf } from '@tributary/testing/server/access/warehouse-login.ts'
import { templateKeys } from '@tributary/testing/server/app/template-keys.ts'
import type { TestApp } from '@tributary/testing/server/app/test-app.ts'
import type { MoveProcessSettings } from '@tributary/testing/server/processes/move-process.ts'
import { isFull } from '@tributary/testing/programmes/extent.ts'
import { readMove, runDueMoves, startMove } from '@tributary/testing/server/warehouses/move-rig.ts'
import { registerServer } from '@tributary/testing/server/warehouses/register-server.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'

let app: TestApp
let servers: readonly [DataServerProcess, DataServerProcess]
let ids: readonly [string, string]
beforeAll(async () => {
  servers = await Promise.all([startDataServer(), startDataServer()])
  app = (await openDataFixture()).app
  ids = [
    await registerServer(app, servers[0], { name: 'West', region: 'Dublin' }),
    await registerServer(app, servers[1], { name: 'East', region: 'Riga' }),
  ]
  await runAs(
    await writerOf(app),
    `ALTER TABLE shop.invoice_line DROP CONSTRAINT invoice_line_invoice_id_fkey;
     CREATE TABLE shop.counted (at int PRIMARY KEY); INSERT INTO shop.counted VALUES (0);
     CREATE TABLE shop.large AS SELECT i, repeat('x', 200) AS t FROM generate_series(1, 60000) i`,
  )
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  for (const server of servers) await server[Symbol.asyncDispose]()
})

/** Resolves when the process has ended, by its own kill or because nothing was left to do. */
async function runKilled(kill: Pick<MoveProcessSettings, 'killBefore' | 'afterMs'>): Promise<NodeJS.Signals | null> {
  const settings: MoveProcessSettings = {
    connection: app.connection,
    warehouse: app.services.warehouse,
    masterKey: templateKeys.current.toString('base64'),
    allowHosts: [],
    ...kill,
  }
  const script = join(import.meta.dirname, '../../../../testing/server/processes/move-process.ts')
  const child = spawn(process.execPath, [script, JSON.stringify(settings)], { stdio: ['ignore', 'ignore', 'inherit'] })
  const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
  return signal
}

/** Reads through the portal without a pause. Every read answers, and the number never falls. */
function startReading() {
  const stopping = new AbortController()
  const numbers: number[] = []
  const failures: unknown[] = []
  const reading = (async () => {
    while (!stopping.signal.aborted) {
      const params = { clientId: app.harbour.id, schema: 'shop', table: 'counted' }
      const { status, body } = await app.as.admin.call(data.rows, { params, query: {} })
      if (status === 200) numbers.push(Number(body.Rows[0]?.[0]))
      else failures.push([status, body])
      await sleep(20)
    }
  })()
  return {
    numbers,
    failures,
    async [Symbol.asyncDispose]() {
      stopping.abort()
      await reading
    },
  }
}

/** Milliseconds into a step. The slices take one of them at each step. */
const before = 0
const within = 150
const kills = (['COPYING', 'HOLDING', 'VERIFYING', 'SWITCHED'] as const).flatMap((killBefore, step) =>
  (isFull ? [before, within] : [step % 2 === 0 ? within : before]).map((afterMs) => ({ killBefore, afterMs })),
)

test('[SCALE-1] a move continues after a kill before and within each step, while the portal reads without a failure and never an old row', async () => {
  let at = 0
  await app.as.admin.signIn()
  await using reading = startReading()
  for (const [turn, kill] of kills.entries()) {
    const target = turn % 2
    await startMove(app, ids[target] ?? '')
    await runKilled(kill)
    await sleep(1_500)
    await runDueMoves(app)
    const { State, Notice } = await readMove(app)
    expect([kill, State, Notice]).toEqual([kill, 'KEPT', null])
    const writer = await writerOf(app)
    expect(writer.port).toBe(servers[target]?.port)
    at += 1
    await runAs(writer, `UPDATE shop.counted SET at = ${at}`)
    const [counted] = await runAs(writer, 'SELECT count(*)::int AS n FROM shop.large')
    expect(counted).toEqual({ n: 60_000 })
    await expect.poll(() => reading.numbers.at(-1), { timeout: 20_000 }).toBe(at)
    // The old copy is dropped, so that the next turn can return.
    app.clock.advance(86_400_001)
    await app.as.admin.signIn()
    await runDueMoves(app)
    expect(await readMove(app)).toMatchObject({ State: 'DONE', Notice: null })
  }
  expect(reading.failures.filter((failure) => !JSON.stringify(failure).includes('notSignedIn'))).toEqual([])
  expect(reading.numbers).toEqual(reading.numbers.toSorted((one, other) => one - other))
  expect(reading.numbers.length).toBeGreaterThan(100)
}, 400_000)
