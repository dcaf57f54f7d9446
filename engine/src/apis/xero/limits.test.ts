import { expect, test } from 'vitest'
import { readAll } from '@tributary/testing/conformance/source/source-suite.ts'
import { streamOf } from '@tributary/testing/engine/apis/simulated-cin7.ts'
import { simulateXero } from '@tributary/testing/engine/apis/simulated-xero.ts'
import { tinySize } from '@tributary/testing/engine/apis/small-xero.ts'
import { connectXero } from '@tributary/testing/engine/apis/xero-connector.ts'

test('over many minutes no limit of Xero is exceeded', async () => {
  await using simulation = await simulateXero({ tier: 'advanced' })
  const startedAt = simulation.clock.now()
  for (let run = 0; run < 3; run += 1) {
    await using source = await simulation.open()
    for (const stream of await source.streams()) await readAll(source, stream, null)
    simulation.sim.tick()
  }
  expect(simulation.clock.now() - startedAt).toBeGreaterThan(3 * 60_000)
  expect(simulation.sim.refusedCalls).toBe(0)
})

test('runs of the same company share one pace, and never have more than five concurrent calls', async () => {
  await using simulation = await simulateXero({ size: tinySize, limits: { concurrent: 5 } })
  const open = await Promise.all(Array.from({ length: 9 }, () => simulation.open()))
  const accounts = await Promise.all(open.map((source) => streamOf(source, 'Accounts')))
  simulation.sim.faults.inject({ kind: 'slow', path: 'accounts', times: 20, waitMs: 20 })
  await Promise.all(open.map((source, at) => readAll(source, accounts[at] ?? fail(), null)))
  expect(simulation.sim.requests.filter(({ path, status }) => path === 'accounts' && status === 200)).toHaveLength(9)
  expect(simulation.sim.refusedCalls).toBe(0)
})

test('the pace adapts to other programs: the remaining calls that Xero reports are respected', async () => {
  await using simulation = await simulateXero({ size: tinySize, limits: { perMinute: 10 } })
  await using source = await simulation.open()
  for (let round = 0; round < 4; round += 1)
    for (const name of ['Accounts', 'Items', 'Invoices', 'Payments', 'Quotes', 'Contacts'])
      await readAll(source, await streamOf(source, name), null)
  expect(simulation.sim.refusedCalls).toBe(0)
})

test('a limit per minute or of concurrent calls is waited out for as long as Xero says', async () => {
  await using simulation = await simulateXero({ size: tinySize })
  await using source = await simulation.open()
  const accounts = await streamOf(source, 'Accounts')
  const all = simulation.sim.readRows(simulation.tenantId, 'Accounts').length
  for (const limit of [
    { problem: 'minute', waitMs: 17_000 },
    { problem: 'appminute', waitMs: 9_000 },
    { problem: 'concurrent' },
  ] as const) {
    simulation.sim.faults.inject({ kind: 'limit', path: 'accounts', ...limit })
    expect((await readAll(source, accounts, null)).rows.get('account')).toHaveLength(all)
  }
  expect(simulation.clock.sleeps).toEqual([17_000, 9_000, 5_000])
})

test('with the day’s calls used up, the run stops for as long as Xero says, makes no calls meanwhile, and then continues', async () => {
  await using xero = await connectXero({ size: tinySize, callsPerMinute: 600, limits: { perMinute: 660 } })
  xero.sim.faults.inject({ kind: 'limit', path: 'contacts', problem: 'day', waitMs: 66_975_000 })
  const outcome = await xero.run()
  expect(outcome).toMatchObject({
    status: 'failed',
    fault: { kind: 'busy', code: 'xero.day_used_up', waitMs: 66_975_000 },
  })
  expect(outcome.fault?.notice).toContain('continues by itself when Xero’s next day begins')
  const before = xero.sim.requests.length
  expect(await xero.run()).toMatchObject({ fault: { kind: 'busy', code: 'xero.day_used_up' } })
  expect(xero.sim.requests).toHaveLength(before)
  xero.clock.advance(66_975_000)
  expect(await xero.run()).toMatchObject({ status: 'completed' })
  expect(await xero.differences(/^(contact|invoice)/)).toEqual([])
})

test('the last calls of a day are left to other programs, and the limit is checked again an hour later', async () => {
  await using simulation = await simulateXero({ size: tinySize, limits: { perDay: 253 } })
  await using source = await simulation.open()
  const accounts = await streamOf(source, 'Accounts')
  const counted = () =>
    simulation.sim.requests.filter(({ path, status }) => path === 'accounts' && status === 200).length
  const refused = async () => {
    for (;;) await readAll(source, accounts, null)
  }
  await expect(refused()).rejects.toMatchObject({ kind: 'busy', waitMs: 3_600_000 })
  const used = counted()
  expect(used).toBeLessThan(8)
  await expect(refused()).rejects.toMatchObject({ kind: 'busy' })
  expect(counted()).toBe(used)
  simulation.clock.advance(3_600_000)
  await expect(refused()).rejects.toMatchObject({ kind: 'busy' })
  expect(counted()).toBe(used + 1)
  expect(simulation.sim.refusedCalls).toBe(0)
})

test('a Retry-After of more than five minutes is never waited out within a run', async () => {
  await using simulation = await simulateXero({ size: tinySize })
  await using source = await simulation.open()
  const accounts = await streamOf(source, 'Accounts')
  simulation.sim.faults.inject({ kind: 'limit', path: 'accounts', problem: 'minute', waitMs: 900_000 })
  await expect(readAll(source, accounts, null)).rejects.toMatchObject({ kind: 'busy', waitMs: 900_000 })
  expect(simulation.clock.sleeps).toEqual([])
})

function fail(): never {
  throw new Error('There is one for each.')
}
