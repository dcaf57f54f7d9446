import { expect, test } from 'vitest'
import type { Row } from '../../../../sims/src/cin7/write.ts'
import { decodeRows } from '../../encoding/copy-text.ts'
import type { Checkpoint } from '../../ports/model.ts'
import type { OpenSource } from '../../ports/source.ts'
import { simulated, streamOf } from '@tributary/testing/engine/apis/simulated-cin7.ts'
import type { Simulated } from '@tributary/testing/engine/apis/simulated-cin7.ts'

const size = {
  products: 20,
  customers: 5,
  suppliers: 2,
  sales: 60,
  purchases: 20,
  salesMax: 60,
  purchasesMax: 20,
  days: 365,
}

test('[ENG-1] the whole ledger is read by months, entries alike in everything each for themselves', async () => {
  await using there = await simulated({ size })
  await using source = await there.open()
  const { months } = await read(source, null)
  expect(written(months)).toEqual(told(there))
  const keys = [...months.values()].flat().map(([month, id, twin]) => `${month} ${id} ${twin}`)
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys.filter((key) => key.endsWith(' 2')).length).toBe(6)
})

test('[ENG-1] a large ledger is halved until its parts can be read', async () => {
  await using there = await simulated({ size: { ...size, sales: 4_000 }, callsPerMinute: 600, limits: { calls: 660 } })
  await using source = await there.open()
  expect(written((await read(source, null)).months)).toEqual(told(there))
  const counts = there.sim.requests.filter(({ query }) => query['limit'] === '1' && query['fromdate'] !== undefined)
  expect(counts.length).toBeGreaterThan(5)
  expect(counts.length).toBeLessThan(40)
})

test('[ENG-1] an incremental reading asks for the last two months, one number, and one older month', async () => {
  await using there = await simulated({ size })
  await using source = await there.open()
  const { checkpoint } = await read(source, null)
  const before = there.sim.requests.length
  const { months } = await read(source, checkpoint)
  const asked = there.sim.requests.slice(before).filter(({ path }) => path === 'transactions')
  expect(asked.map(({ query }) => query['limit'])).toEqual(['1000', '1', '1000'])
  // There is nothing yet in the month that has just begun.
  expect([...months.keys()].toSorted()).toEqual(['2025-03', '2026-02'])
})

test('[ENG-1] entries that vanish from a month long past, and those that are dated back, are found by their number', async () => {
  await using there = await simulated({ size })
  await using source = await there.open()
  const first = await read(source, null)
  const [old] = there.sim.company.sales.filter((sale) => !sale.voided && sale.stage >= 2)
  Object.assign(old ?? {}, { voided: true })
  const second = await read(source, first.checkpoint)
  expect(written(new Map([...first.months, ...second.months]))).toEqual(told(there))
})

test('[ENG-1] an amount that changes without a change of number is found when its month has its turn', async () => {
  await using there = await simulated({ size })
  await using source = await there.open()
  let { checkpoint, months } = await read(source, null)
  const [old] = there.sim.company.sales.filter((sale) => !sale.voided && sale.stage >= 2)
  Object.assign(old ?? {}, { freightCents: 99_999 })
  const seen = new Map(months)
  for (let run = 0; run < 13; run += 1) {
    ;({ checkpoint, months } = await read(source, checkpoint))
    for (const [month, rows] of months) seen.set(month, rows)
  }
  expect(written(seen)).toEqual(told(there))
})

test('[ENG-1] a first reading that is cut goes on with what is missing', async () => {
  await using there = await simulated({ size: { ...size, sales: 150 } })
  await using source = await there.open()
  there.sim.mishaps.order({ kind: 'drop', path: 'transactions', after: 2, times: 5 })
  const cut = await read(source, null)
  const rest = await read(source, cut.checkpoint)
  expect(cut.months.size).toBeLessThan(3)
  expect(written(new Map([...cut.months, ...rest.months]))).toEqual(told(there))
})

test('[ENG-1] a row that slips to the next page while the ledger is read does not count twice', async () => {
  await using there = await simulated({ size: { ...size, sales: 1_500 }, callsPerMinute: 600, limits: { calls: 660 } })
  await using source = await there.open()
  let slips = 0
  const slip = (body: unknown): unknown => {
    const { Page, Total, Transactions } = body as {
      readonly Page: number
      readonly Total: number
      readonly Transactions: readonly Row[]
    }
    if (Page !== 2 || slips > 0) return body
    slips += 1
    return { Page, Total: Total + 1, Transactions: [Transactions[0], ...Transactions] }
  }
  there.sim.mishaps.order({ kind: 'reshape', path: 'transactions', times: Infinity, reshape: slip })
  expect(written((await read(source, null)).months)).toEqual(told(there))
  expect(slips).toBe(1)
})

type Months = Map<string, (string | null)[][]>

/** The entries of every month that was read, and where it can go on; a connection that breaks ends it. */
async function read(
  source: OpenSource,
  since: Checkpoint | null,
): Promise<{ months: Months; checkpoint: Checkpoint | null }> {
  const stream = await streamOf(source, 'transactions')
  const months: Months = new Map()
  let checkpoint = since
  try {
    for await (const batch of source.read(stream, { since, encoding: 'text', log: () => {} })) {
      for (const row of decodeRows(batch.bytes)) keep(months, batch.table === 'ledger_month', row)
      checkpoint = batch.checkpoint ?? checkpoint
    }
  } catch (error) {
    expect(error).toMatchObject({ kind: 'passing' })
  }
  return { months, checkpoint }
}

function keep(months: Months, isMonth: boolean, row: (string | null)[]): void {
  const month = row[0] ?? ''
  if (isMonth) months.set(month, [])
  else months.get(month)?.push(row)
}

/** An entry by its task, its day and its amount. */
function written(months: Months): string[] {
  return [...months.values()]
    .flat()
    .map((row) => `${row[3]} ${row[5]} ${Number(row.at(-1))}`)
    .toSorted()
}

function told({ sim }: Simulated): string[] {
  return sim
    .tell('transactions')
    .map(
      ({ TaskID, EffectiveDate, Amount }) =>
        `${String(TaskID)} ${String(EffectiveDate).slice(0, 10)} ${Number(Amount)}`,
    )
    .toSorted()
}
