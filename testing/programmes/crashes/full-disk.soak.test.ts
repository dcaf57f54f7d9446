/** No space left, in the store and in a target. */
import { connectors } from '@tributary/contract/connectors'
import { createRandom } from '@tributary/sims/random'
import { Client } from 'pg'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { SpawnedWorker } from '../../server/processes/spawn-worker.ts'
import { isFull, seed, tell } from '../extent.ts'
import { change, shopSql } from '../network/sale-shop.ts'
import { isRealDisk, smallDisk } from './small-disk.ts'
import { openWorld, type World } from '../network/test-bed.ts'

const rounds = isFull ? 20 : 1
const where = isRealDisk ? 'on a disk that is full' : 'in a database that says its disk is full'

let world: World
let worker: SpawnedWorker
let passed = 0
beforeAll(async () => {
  world = await openWorld('postgres', shopSql)
  worker = await world.spawn()
  await world.complete('incremental')
})
afterAll(async () => {
  await worker.kill('SIGTERM')
  await world[Symbol.asyncDispose]()
  tell(
    `${passed} of ${2 * rounds} times ${where} (store, target) nothing was lost, and all went on once there was space`,
  )
})

test.each(Array.from({ length: rounds }, (_, at) => at + 1))(
  `the store ${where}: reading goes on, writing is refused in words and works again once there is space (round %i, seed ${seed})`,
  async () => {
    const { app, connectorId } = world
    await using sql = await superuser(app.connection.database ?? '')
    await using disk = await smallDisk(sql, ['audit_event', 'run_line'])
    const params = { clientId: app.harbour.id, connectorId }
    const rename = (name: string) => app.as.admin.call(connectors.change, { params, body: { name } })
    await disk.fill()
    let kept = ''
    let refused = await rename('Renamed 0')
    // The last page of a table may have room for some rows more.
    for (let at = 1; refused.status === 200; at += 1) {
      kept = refused.body.Name
      refused = await rename(`Renamed ${at}`)
    }
    expect(refused).toMatchObject({
      status: 503,
      body: { code: 'storeFull', message: expect.stringContaining('disk space') as string },
      headers: { 'retry-after': '5' },
    })
    const read = await app.as.admin.call(connectors.find, { params: { connectorId } })
    expect(read).toMatchObject({ status: 200, body: { Name: kept === '' ? 'Programme' : kept } })
    await disk.free()
    expect(await rename('Programme')).toMatchObject({ status: 200, body: { Name: 'Programme' } })
    await world.complete('incremental')
    passed += 1
  },
)

test.each(Array.from({ length: rounds }, (_, at) => at + 1))(
  `a target ${where}: the run says so, what was there stays, and the next run goes on (round %i, seed ${seed})`,
  async (round) => {
    const { source, target } = world
    const table = `"Shop".${target.quote(await target.nameOf('public.sale'))}`
    await using sql = await superuser((target.properties['target.connectionString'] as { database: string }).database)
    await using disk = await smallDisk(sql, [table])
    const before = await target.rows(await target.nameOf('public.sale'))
    await change(source, 'incremental', round, createRandom(seed + round))
    await disk.fill()
    const run = await world.ends(await world.start('incremental'))
    expect(run).toMatchObject({
      Status: 'FAILED',
      FaultKind: 'settings',
      Notice: expect.stringContaining('disk') as string,
    })
    expect(await target.rows(await target.nameOf('public.sale'))).toEqual(before)
    await disk.free()
    await world.complete('incremental')
    expect(await target.rows(await target.nameOf('public.sale'))).toEqual(await source.rows('sale'))
    passed += 1
  },
)

async function superuser(database: string): Promise<Client & AsyncDisposable> {
  const client = new Client({ ...inject('postgres'), database })
  await client.connect()
  return Object.assign(client, { [Symbol.asyncDispose]: () => client.end() })
}
