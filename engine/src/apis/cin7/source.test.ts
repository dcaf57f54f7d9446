import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startCin7 } from '../../../../sims/src/cin7/server.ts'
import { expectedRows } from '@tributary/testing/engine/apis/cin7-rows.ts'
import { simulateCin7, tinySize } from '@tributary/testing/engine/apis/simulated-cin7.ts'
import { testSource } from '@tributary/testing/conformance/source/source-suite.ts'
import { sharedClock } from '@tributary/testing/engine/apis/shared-clock.ts'
import { openNetwork } from '@tributary/testing/engine/sync/source-context.ts'
import { cin7Source } from './source.ts'
import { bundleOf, cin7Bundles, cin7Streams } from './streams.ts'

const size = { products: 130, customers: 40, suppliers: 8, sales: 60, purchases: 30, salesMax: 80, purchasesMax: 40 }

testSource('Cin7 Core, simulated', async () => {
  const clock = sharedClock()
  const sim = await startCin7({ clock, seed: 7, size })
  const open = (applicationKey: string, signal: AbortSignal = new AbortController().signal) =>
    cin7Source.open(
      cin7Source.parse({
        'cin7.accountId': sim.accountId,
        'cin7.applicationKey': applicationKey,
        'cin7.address': sim.url,
      }),
      {
        network: openNetwork,
        clock,
        signal,
      },
    )
  return {
    open: (signal) => open(sim.applicationKey, signal),
    openRefused: () => open('00000000-0000-4000-8000-000000000000'),
    async change() {
      clock.advance(3_600_000)
      for (let step = 0; step < 20; step += 1) sim.tick()
      return ['saleList', 'sale']
    },
    rows: {
      transactions: 5,
      saleList: 60,
      sale: 60,
      purchaseList: 30,
      purchase: 30,
      product: 130,
      customer: 40,
      productavailability: 260,
      account: 9,
    },
    secrets: [sim.applicationKey, '00000000-0000-4000-8000-000000000000'],
    [Symbol.asyncDispose]: () => sim.close(),
  }
})

test('every stream is in one bundle, Base comes with every connector, and the documentation names them all', () => {
  expect(cin7Bundles.filter(({ base }) => base).map(({ id }) => id)).toEqual(['Base'])
  const bundled = cin7Bundles.flatMap(({ id, streams }) => streams.map((name) => [name, id]))
  expect(bundled).toEqual(cin7Streams.map((stream) => [stream.name, bundleOf(stream)]))
  const documentation = readFileSync(new URL('../../../../docs/connectors.md', import.meta.url), 'utf8')
  const tables = cin7Streams.reduce((count, { shape }) => count + 1 + shape.children.length, 0)
  expect(documentation).toContain(`${cin7Streams.length} streams in ${tables} tables`)
  expect(cin7Streams.filter(({ name }) => !documentation.includes(`\`${name}\``)).map(({ name }) => name)).toEqual([])
})

test('the tests compare every table with the simulator, field by field', async () => {
  await using simulation = await simulateCin7({ size: tinySize })
  const compared = expectedRows(simulation.sim)
  const tables = cin7Streams.flatMap(({ shape }) =>
    [shape.table, ...shape.children.map(({ table }) => table)].map(({ name }) => name),
  )
  // Months are not in the API: Tributary groups ledger entries by them.
  expect(tables.filter((name) => !compared.has(name))).toEqual(['ledger_month'])
})
