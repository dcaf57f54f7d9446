/** Full disk, in the store and in a target. */
import { connectors } from '@tributary/contract/connectors'
import { createRandom } from '@tributary/sims/random'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { SpawnedWorker } from '../../server/processes/spawn-worker.ts'
import { isFull, seed, printFigure } from '../extent.ts'
import { changeShop, shopSql } from '../network/sale-shop.ts'
import { isRealDisk, openSmallDisk } from './small-disk.ts'
import { openTestBed, type TestBed } from '../network/test-bed.ts'

const rounds = isFull ? 20 : 1
const where = isRealDisk ? 'on a full disk' : 'in a database that reports a full disk'

let testBed: TestBed
let worker: SpawnedWorker
let passed = 0
beforeAll(async () => {
  testBed = await openTestBed('postgres', shopSql)
  worker = await testBed.spawn()
  await testBed.complete('incremental')
})
afterAll(async () => {
  await worker.kill('SIGTERM')
  await testBed[Symbol.asyncDispose]()
  printFigure(
    `${passed} of ${2 * rounds} times ${where} (store, target) nothing was lost, and work resumed once there was space`,
  )
})

test.each(Array.from({ length: rounds }, (_, at) => at + 1))(
  `the store ${where}: reads succeed, writes fail with an explanation and succeed again once there is space (round %i, seed ${seed})`,
  async () => {
    const { app, connectorId } = testBed
    await using sql = await connectAsSuperuser(app.connection.database ?? '')
    await using disk = await openSmallDisk(sql, ['audit_event', 'run_line'])
    const params = { clientId: app.harbour.id, connectorId }
    const rename = (name: string) => app.as.admin.call(connectors.change, { params, body: { name } })
    await disk.fill()
    let storedName = ''
    let refused = await rename('Renamed 0')
    // The last page of a table may have space for more rows.
    for (let at = 1; refused.status === 200; at += 1) {
      storedName = refused.body.Name
      refused = await rename(`Renamed ${at}`)
    }
    expect(refused).toMatchObject({
      status: 503,
      body: { code: 'storeFull', message: expect.stringContaining('disk space') as string },
      headers: { 'retry-after': '5' },
    })
    const read = await app.as.admin.call(connectors.find, { params: { connectorId } })
    expect(read).toMatchObject({ status: 200, body: { Name: storedName === '' ? 'Programme' : storedName } })
    await disk.free()
    expect(await rename('Programme')).toMatchObject({ status: 200, body: { Name: 'Programme' } })
    await testBed.complete('incremental')
    passed += 1
  },
)

test.each(Array.from({ length: rounds }, (_, at) => at + 1))(
  `a target ${where}: the run reports it, existing rows stay, and the next run catches up (round %i, seed ${seed})`,
  async (round) => {
    const { source, target } = testBed
    const table = `"Shop".${target.quote(await target.nameOf('public.sale'))}`
    await using sql = await connectAsSuperuser(
      (target.properties['target.connectionString'] as { database: string }).database,
    )
    await using disk = await openSmallDisk(sql, [table])
    const before = await target.rows(await target.nameOf('public.sale'))
    await changeShop(source, 'incremental', round, createRandom(seed + round))
    await disk.fill()
    const run = await testBed.waitForEnd(await testBed.syncMode('incremental'))
    expect(run).toMatchObject({
      Status: 'FAILED',
      FaultKind: 'settings',
      Notice: expect.stringContaining('disk') as string,
    })
    expect(await target.rows(await target.nameOf('public.sale'))).toEqual(before)
    await disk.free()
    await testBed.complete('incremental')
    expect(await target.rows(await target.nameOf('public.sale'))).toEqual(await source.rows('sale'))
    passed += 1
  },
)

async function connectAsSuperuser(database: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ ...inject('postgres'), database })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}
