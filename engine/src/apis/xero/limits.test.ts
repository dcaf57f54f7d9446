import { expect, test } from 'vitest'
import { readAll } from '@tributary/testing/conformance/source/source-suite.ts'
import { streamOf } from '@tributary/testing/engine/apis/simulated-cin7.ts'
import { simulated } from '@tributary/testing/engine/apis/simulated-xero.ts'
import { tinySize } from '@tributary/testing/engine/apis/small-xero.ts'
import { connectXero } from '@tributary/testing/engine/apis/xero-connector.ts'

test('over many minutes no limit of Xero is ever met', async () => {
  await using there = await simulated({ tier: 'advanced' })
  const startedAt = there.clock.now()
  for (let run = 0; run < 3; run += 1) {
    await using source = await there.open()
    for (const stream of await source.streams()) await readAll(source, stream, null)
    there.sim.tick()
  }
  expect(there.clock.now() - startedAt).toBeGreaterThan(3 * 60_000)
  expect(there.sim.beyondLimits).toBe(0)
})

test('runs of the same company share one pace, and never have more than five calls under way', async () => {
  await using there = await simulated({ size: tinySize, limits: { concurrent: 5 } })
  const open = await Promise.all(Array.from({ length: 9 }, () => there.open()))
  const accounts = await Promise.all(open.map((source) => streamOf(source, 'Accounts')))
  there.sim.mishaps.order({ kind: 'slow', path: 'accounts', times: 20, waitMs: 20 })
  await Promise.all(open.map((source, at) => readAll(source, accounts[at] ?? fail(), null)))
  expect(there.sim.requests.filter(({ path, status }) => path === 'accounts' && status === 200)).toHaveLength(9)
  expect(there.sim.beyondLimits).toBe(0)
})

test('where others use the company’s calls, too, ours are fewer: what Xero says is left is believed', async () => {
  await using there = await simulated({ size: tinySize, limits: { perMinute: 10 } })
  await using source = await there.open()
  for (let round = 0; round < 4; round += 1)
    for (const name of ['Accounts', 'Items', 'Invoices', 'Payments', 'Quotes', 'Contacts'])
      await readAll(source, await streamOf(source, name), null)
  expect(there.sim.beyondLimits).toBe(0)
})

test('a limit of a minute, or of calls at once, is waited out, as long as Xero says', async () => {
  await using there = await simulated({ size: tinySize })
  await using source = await there.open()
  const accounts = await streamOf(source, 'Accounts')
  const all = there.sim.tell(there.tenantId, 'Accounts').length
  for (const limit of [
    { problem: 'minute', waitMs: 17_000 },
    { problem: 'appminute', waitMs: 9_000 },
    { problem: 'concurrent' },
  ] as const) {
    there.sim.mishaps.order({ kind: 'limit', path: 'accounts', ...limit })
    expect((await readAll(source, accounts, null)).rows.get('account')).toHaveLength(all)
  }
  expect(there.clock.sleeps).toEqual([17_000, 9_000, 5_000])
})

test('when the day’s calls are used up the run stops for as long as Xero says, asks no more meanwhile, and then goes on', async () => {
  await using xero = await connectXero({ size: tinySize, callsPerMinute: 600, limits: { perMinute: 660 } })
  xero.sim.mishaps.order({ kind: 'limit', path: 'contacts', problem: 'day', waitMs: 66_975_000 })
  const outcome = await xero.run()
  expect(outcome).toMatchObject({
    status: 'failed',
    fault: { kind: 'busy', code: 'xero.day_used_up', waitMs: 66_975_000 },
  })
  expect(outcome.fault?.notice).toContain('goes on by itself when Xero’s day begins anew')
  const before = xero.sim.requests.length
  expect(await xero.run()).toMatchObject({ fault: { kind: 'busy', code: 'xero.day_used_up' } })
  expect(xero.sim.requests).toHaveLength(before)
  xero.clock.advance(66_975_000)
  expect(await xero.run()).toMatchObject({ status: 'completed' })
  expect(await xero.differences(/^(contact|invoice)/)).toEqual([])
})

test('the last calls of a day are left to others, and an hour later it is looked again', async () => {
  await using there = await simulated({ size: tinySize, limits: { perDay: 253 } })
  await using source = await there.open()
  const accounts = await streamOf(source, 'Accounts')
  const counted = () => there.sim.requests.filter(({ path, status }) => path === 'accounts' && status === 200).length
  const refused = async () => {
    for (;;) await readAll(source, accounts, null)
  }
  await expect(refused()).rejects.toMatchObject({ kind: 'busy', waitMs: 3_600_000 })
  const used = counted()
  expect(used).toBeLessThan(8)
  await expect(refused()).rejects.toMatchObject({ kind: 'busy' })
  expect(counted()).toBe(used)
  there.clock.advance(3_600_000)
  await expect(refused()).rejects.toMatchObject({ kind: 'busy' })
  expect(counted()).toBe(used + 1)
  expect(there.sim.beyondLimits).toBe(0)
})

test('a wait of more than five minutes is never sat out within a run, whatever Xero calls the limit', async () => {
  await using there = await simulated({ size: tinySize })
  await using source = await there.open()
  const accounts = await streamOf(source, 'Accounts')
  there.sim.mishaps.order({ kind: 'limit', path: 'accounts', problem: 'minute', waitMs: 900_000 })
  await expect(readAll(source, accounts, null)).rejects.toMatchObject({ kind: 'busy', waitMs: 900_000 })
  expect(there.clock.sleeps).toEqual([])
})

function fail(): never {
  throw new Error('There is one for each.')
}
