import { expect, test } from 'vitest'
import type { Cin7Simulator } from '../../../../sims/src/cin7/server.ts'
import { decodeRows } from '../../encoding/copy-text.ts'
import type { Checkpoint } from '../../ports/model.ts'
import type { OpenSource, Stream } from '../../ports/source.ts'
import { simulateCin7, streamOf } from '@tributary/testing/engine/apis/simulated-cin7.ts'
import type { SimulatedCin7 } from '@tributary/testing/engine/apis/simulated-cin7.ts'

const size = {
  products: 20,
  customers: 5,
  suppliers: 2,
  sales: 2,
  purchases: 2,
  salesMax: 2,
  purchasesMax: 2,
  tasks: 12,
}

test('[ENG-1] a closed task is read once, an open one each time, and a changed row again', async () => {
  await using simulation = await simulateCin7({ size })
  await using source = await simulation.open()
  const stream = await streamOf(source, 'stockTransfer')
  const first = await read(source, stream, null)
  const { transfer } = simulation.sim.company.tasks
  expect(first.ids.toSorted()).toEqual(transfer.map(({ ID }) => ID).toSorted())

  const open = transfer.find(({ status }) => status === 'DRAFT')
  expect((await read(source, stream, first.checkpoint)).ids).toEqual([open?.ID])

  const [closed] = transfer
  Object.assign(closed ?? {}, { status: 'VOIDED' })
  Object.assign(open ?? {}, { status: 'COMPLETED' })
  const second = await read(source, stream, first.checkpoint)
  expect(second.ids).toEqual([closed?.ID, open?.ID])
  expect((await read(source, stream, second.checkpoint)).ids).toEqual([])
})

test('[ENG-1] an interrupted queue of details resumes with the rest', async () => {
  for (const cutAfter of [1, 5, 11]) {
    await using simulation = await simulateCin7({ size })
    await using source = await simulation.open()
    const stream = await streamOf(source, 'stocktake')
    simulation.sim.faults.inject({ kind: 'drop', path: 'stocktake', after: cutAfter, times: 5 })
    const cut = await read(source, stream, null)
    expect(cut.ids).toHaveLength(cutAfter)
    const rest = await read(source, stream, cut.checkpoint)
    expect([...cut.ids, ...rest.ids].toSorted()).toEqual(taskIds(simulation.sim))
  }
})

test('money tasks are read from the path of their kind, and production orders from their list', async () => {
  await using simulation = await simulateCin7({ size })
  await using source = await simulation.open()
  expect((await read(source, await streamOf(source, 'moneyTask'), null)).ids).toHaveLength(12)
  expect((await read(source, await streamOf(source, 'productionOrder'), null)).ids).toHaveLength(12)
  expect(callsOf(simulation, 'moneyoperation')).toBe(6)
  expect(callsOf(simulation, 'banktransfer')).toBe(6)
})

test('streams of a module that the account lacks are not offered; all others are', async () => {
  await using simulation = await simulateCin7({ size })
  await using source = await simulation.open()
  const all = (await source.streams()).map(({ name }) => name)
  simulation.sim.faults.inject({
    kind: 'reply',
    path: 'production/orderlist',
    reply: { status: 200, body: '<html>Page not found</html>' },
  })
  expect((await source.streams()).map(({ name }) => name)).toEqual(all.filter((name) => name !== 'productionOrder'))
  simulation.sim.faults.inject({ kind: 'drop', path: 'production/orderlist', times: 5 })
  await expect(source.streams()).rejects.toMatchObject({ kind: 'passing' })
})

/** Returns the documents of a read and the last checkpoint. An error ends the read. */
async function read(
  source: OpenSource,
  stream: Stream,
  since: Checkpoint | null,
): Promise<{ ids: string[]; checkpoint: Checkpoint | null }> {
  const ids: string[] = []
  let checkpoint = since
  try {
    for await (const batch of source.read(stream, { since, encoding: 'text', log: () => {} })) {
      if (batch.table === stream.table.name) ids.push(...decodeRows(batch.bytes).map(([id]) => String(id)))
      checkpoint = batch.checkpoint ?? checkpoint
    }
  } catch (error) {
    expect(error).toMatchObject({ kind: 'passing' })
  }
  return { ids, checkpoint }
}

function taskIds({ company }: Cin7Simulator): string[] {
  return company.tasks.stocktake.map(({ ID }) => ID).toSorted()
}

function callsOf({ sim }: SimulatedCin7, asked: string): number {
  return sim.requests.filter(({ path }) => path === asked).length
}
