import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { rowsOf } from '../../../../sims/src/uniconta/company.ts'
import { dayMs, ExactNumber, noDate } from '../../../../sims/src/uniconta/rows.ts'
import type { UnicontaRow } from '../../../../sims/src/uniconta/rows.ts'
import type { UnicontaSimulator } from '../../../../sims/src/uniconta/server.ts'
import type { Checkpoint } from '../../ports/model.ts'
import type { SyncOutcome } from '../../sync/sync-request.ts'
import { simulateUniconta, smallSize } from '@tributary/testing/engine/apis/simulated-uniconta.ts'
import { readAll } from '@tributary/testing/conformance/source/source-suite.ts'
import { connectUniconta } from '@tributary/testing/engine/apis/uniconta-connector.ts'
import type { UnicontaConnector } from '@tributary/testing/engine/apis/uniconta-connector.ts'

test('[ENG-1] [ENG-2] full, incremental and deleting syncs leave the target equal to Uniconta, row by row', async () => {
  await using uniconta = await connectUniconta()
  const [company] = uniconta.sim.companies
  if (company !== undefined) Object.assign(rowsOf(company, 'GLTransClient')[5] ?? {}, { Date: noDate })
  expect(await uniconta.run()).toMatchObject({ status: 'completed', fault: null })
  await expectEqual(uniconta)

  for (let hour = 0; hour < 30; hour += 1) {
    uniconta.clock.advance(3_600_000)
    uniconta.sim.tick()
  }
  expect(await uniconta.run()).toMatchObject({ status: 'completed', fault: null })
  await expectEqual(uniconta)

  for (let times = 0; times < 3; times += 1) uniconta.sim.remove()
  uniconta.clock.advance(dayMs)
  const outcome = await uniconta.run()
  expect(outcome).toMatchObject({ status: 'completed', fault: null })
  expect(outcome.streams.reduce((rows, { progress }) => rows + progress.rowsDeleted, 0)).toBeGreaterThan(0)
  await expectEqual(uniconta)
  expect(uniconta.sim.requests.filter(({ status }) => status !== 200)).toEqual([])
})

test('[ENG-1] new postings with an old date arrive with the next incremental sync', async () => {
  await using uniconta = await connectUniconta({ companies: 1 })
  await uniconta.run()
  const [company] = uniconta.sim.companies
  const late = (): number =>
    company === undefined ? 0 : rowsOf(company, 'GLTransClient').filter(({ Text }) => Text === 'Efterpostering').length
  for (let step = 0; step < 20; step += 1) uniconta.sim.tick()
  expect(late()).toBeGreaterThan(5)
  const before = uniconta.sim.requests.length
  await uniconta.run()
  await expectEqual(uniconta)
  const asked = uniconta.sim.requests.slice(before).map((request) => request.target)
  expect(asked.some((question) => question.includes('JournalPostedId gt'))).toBe(true)
})

test('postings can be read again from a given day; tables without a date are read whole', async () => {
  await using simulation = await simulateUniconta({ companies: 1 })
  await using source = await simulation.open()
  const streams = await source.streams()
  const from = new Date('2026-02-20T00:00:00Z')
  const since: Record<string, Checkpoint | null> = {}
  for (const stream of streams) since[stream.name] = (await source.checkpointAt?.(stream, from)) ?? null
  expect(since['DebtorClient']).toBeNull()
  const entries = streams.find(({ name }) => name === 'GLTransClient')
  if (entries === undefined) throw new Error('There are postings.')
  const all = (await readAll(source, entries, null)).rows.get('gl_trans') ?? []
  const recent = (await readAll(source, entries, since['GLTransClient'] ?? null)).rows.get('gl_trans') ?? []
  const day = entries.table.columns.findIndex(({ name }) => name === 'date')
  expect(recent.length).toBeGreaterThan(0)
  expect(recent.toSorted()).toEqual(all.filter((row) => (row[day] ?? '') >= '2025-12-20').toSorted())
})

test('deleted postings are found even if Uniconta does not support $select', async () => {
  await using uniconta = await connectUniconta({ companies: 1 })
  await uniconta.run()
  uniconta.sim.remove()
  uniconta.clock.advance(dayMs)
  const reply = { status: 400, body: '{"error":{"message":"The query option $select is not supported."}}' }
  uniconta.sim.injectFaults(...Array.from({ length: 20 }, () => ({ kind: 'reply', at: '$select', reply }) as const))
  expect(await uniconta.run()).toMatchObject({ status: 'completed', fault: null })
  await expectEqual(uniconta)
})

test('an incremental sync reads the last weeks of postings, not everything', async () => {
  await using uniconta = await connectUniconta({ companies: 1, size: { ...smallSize, invoices: 200 } })
  const first = await uniconta.run()
  uniconta.sim.tick()
  const second = await uniconta.run()
  const read = ({ streams }: SyncOutcome): number =>
    streams.find(({ progress }) => progress.stream === 'GLTransClient')?.progress.rowsRead ?? 0
  expect(read(second)).toBeGreaterThan(0)
  expect(read(second)).toBeLessThan(read(first) / 3)
})

test('[ENG-1] a company that is removed for days and added again is complete', async () => {
  await using uniconta = await connectUniconta()
  expect(await uniconta.run()).toMatchObject({ status: 'completed', fault: null })
  const [, second] = uniconta.sim.companies
  uniconta.clock.advance(dayMs)
  const alone = await uniconta.run({ more: { 'uniconta.companies': [String(second?.id)] } })
  expect(alone).toMatchObject({ status: 'completed', fault: null })
  expect(alone.streams.reduce((rows, { progress }) => rows + progress.rowsDeleted, 0)).toBeGreaterThan(0)
  uniconta.clock.advance(dayMs)
  expect(await uniconta.run()).toMatchObject({ status: 'completed', fault: null })
  await expectEqual(uniconta)
})

test('[ENG-1] a company that is hidden during a re-read from a date and returns is complete', async () => {
  await using uniconta = await connectUniconta()
  expect(await uniconta.run()).toMatchObject({ status: 'completed', fault: null })
  const [, second] = uniconta.sim.companies
  uniconta.clock.advance(dayMs)
  const more = { 'uniconta.companies': [String(second?.id)] }
  const from = new Date(uniconta.clock.now() - 30 * dayMs)
  expect(await uniconta.run({ more, changedSince: from })).toMatchObject({ status: 'completed', fault: null })
  uniconta.clock.advance(dayMs)
  expect(await uniconta.run()).toMatchObject({ status: 'completed', fault: null })
  await expectEqual(uniconta)
})

test('[ENG-1] a run killed at any call resumes, and loses or duplicates no row', async () => {
  for (const killAfter of [45, 70, 95]) {
    await using uniconta = await connectUniconta({ companies: 1 })
    const runId = randomUUID()
    for (let kill = 1; kill <= 2; kill += 1) {
      const stop = new AbortController()
      await Promise.race([
        uniconta.run({ signal: stop.signal, runId }),
        killedAt(uniconta.sim, uniconta.sim.requests.length + killAfter, stop),
      ])
      stop.abort()
      uniconta.sim.tick()
    }
    expect(await uniconta.run()).toMatchObject({ status: 'completed' })
    await expectEqual(uniconta)
  }
})

test('a declared key that is not unique is reported, and every row is in the target once, even after rows come and go', async () => {
  await using uniconta = await connectUniconta({ companies: 1 })
  const [company] = uniconta.sim.companies
  if (company === undefined) throw new Error('There is a company.')
  const accounts = rowsOf(company, 'GLAccountClient')
  const entries = rowsOf(company, 'GLTransClient')
  const same = (rows: UnicontaRow[], name: string, at: readonly number[]): void =>
    at.forEach((place) => Object.assign(rows[place] ?? {}, { [name]: 77 }))
  same(accounts, 'RowId', [1, 2, 5])
  same(entries, 'PrimaryKeyId', [3, 40, entries.length - 1])
  const stock = rowsOf(company, 'InvItemStorageClient')
  stock.push({ ...stock[0], Qty: 3 })

  expect(await uniconta.run()).toMatchObject({ status: 'completed', fault: null })
  await expectEqual(uniconta)
  for (const [set, key] of [
    ['GLAccountClient', 'RowId'],
    ['GLTransClient', 'PrimaryKeyId'],
    ['InvItemStorageClient', 'Item and Variant1'],
  ])
    expect(
      uniconta.logLines.filter((line) => line.startsWith(`${key}`) && line.includes(`is not unique in ${set}`)),
    ).toHaveLength(1)

  uniconta.sim.tick()
  accounts.splice(2, 1)
  entries.splice(40, 1)
  uniconta.clock.advance(dayMs)
  expect(await uniconta.run()).toMatchObject({ status: 'completed', fault: null })
  await expectEqual(uniconta)

  same(rowsOf(company, 'GLTransClient'), 'PrimaryKeyId', [3])
  entries.forEach((entry, index) => Object.assign(entry, { PrimaryKeyId: 50_000 + index }))
  uniconta.clock.advance(dayMs)
  for (let times = 0; times < 2; times += 1) {
    await uniconta.run()
    expect(uniconta.logLines.filter((line) => line.includes('GLTransClient'))).toEqual([])
  }
  await expectEqual(uniconta)
})

test('if an incremental sync finds a duplicate key, all rows are read again and none is lost', async () => {
  await using uniconta = await connectUniconta({ companies: 1 })
  await uniconta.run()
  const [company] = uniconta.sim.companies
  if (company === undefined) throw new Error('There is a company.')
  const entries = rowsOf(company, 'GLTransClient')
  const newest = entries.at(-1)
  entries.push({ ...newest, Text: 'Med samme nummer' })
  expect(await uniconta.run()).toMatchObject({ status: 'completed', fault: null })
  await expectEqual(uniconta)
  expect(uniconta.logLines.filter((line) => line.includes('is not unique in GLTransClient'))).toHaveLength(1)
})

test('a new posting with the key of an old one is reported with instructions, and a full refresh copies both', async () => {
  await using uniconta = await connectUniconta({ companies: 1 })
  await uniconta.run()
  const [company] = uniconta.sim.companies
  if (company === undefined) throw new Error('There is a company.')
  const entries = rowsOf(company, 'GLTransClient')
  const PrimaryKeyId = entries[0]?.['PrimaryKeyId'] ?? null
  entries.push({ ...entries.at(-1), PrimaryKeyId })
  uniconta.clock.advance(dayMs)
  const { status, fault } = await uniconta.run()
  expect({ status, code: fault?.code }).toEqual({ status: 'failed', code: 'uniconta.key_not_unique' })
  expect(fault?.notice).toContain('load the whole table once')
  for (const wish of ['full', 'incremental'] as const) {
    expect(await uniconta.run({ syncMode: wish })).toMatchObject({ status: 'completed', fault: null })
    await expectEqual(uniconta)
  }
})

test('an added field arrives with the next sync, a nested list as a table; a removed field leaves its column empty', async () => {
  await using uniconta = await connectUniconta({ companies: 1 })
  await uniconta.run()
  const [company] = uniconta.sim.companies
  const debtors = company?.sets.get('DebtorClientUser')
  if (company === undefined || debtors === undefined) throw new Error('There is a company with customers.')
  debtors.properties.push({ name: 'Rating', type: 'String', maxLength: 10 })
  debtors.properties.push({ name: 'PriceTiers', type: 'PriceTier[]' })
  const gone = debtors.properties.findIndex(({ name }) => name === 'LoyaltyPoints')
  debtors.properties.splice(gone, 1)
  for (const [index, row] of rowsOf(company, 'DebtorClient').entries()) {
    row['Rating'] = index % 2 === 0 ? 'A+' : null
    row['PriceTiers'] = Array.from({ length: index % 3 }, (_, at) => ({
      Qty: at * 10,
      Price: new ExactNumber(`${at}.1234567890123456789`),
    }))
  }
  expect(await uniconta.run()).toMatchObject({ status: 'completed', fault: null })
  const rated = await uniconta.query(
    `select count(*) filter (where rating = 'A+')::text as rated, count(*) filter (where loyalty_points is null)::text as emptied from debtor`,
  )
  expect(rated).toEqual([{ rated: '10', emptied: '20' }])
  const tiers = await uniconta.query(
    'select count(*)::text as rows, max(price)::text as price from debtor_price_tiers t join debtor d using (company_id, row_id, occurrence)',
  )
  expect(tiers).toEqual([{ rows: '19', price: '1.1234567890123456789' }])
})

/** Resolves after this many calls, with the run paused. */
async function killedAt(sim: UnicontaSimulator, requests: number, stop: AbortController): Promise<void> {
  while (sim.requests.length < requests && !stop.signal.aborted) await new Promise((resolve) => setImmediate(resolve))
  stop.abort(new Error('killed'))
}

async function expectEqual(uniconta: UnicontaConnector): Promise<void> {
  expect(await uniconta.differences()).toEqual([])
}
