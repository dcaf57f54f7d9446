import { expect, test } from 'vitest'
import type { Cin7Row } from '../../../../sims/src/cin7/value-format.ts'
import { decodeRows } from '../../encoding/copy-text.ts'
import type { Checkpoint } from '../../ports/model.ts'
import type { OpenSource } from '../../ports/source.ts'
import { simulateCin7, streamOf } from '@tributary/testing/engine/apis/simulated-cin7.ts'
import type { SimulatedCin7 } from '@tributary/testing/engine/apis/simulated-cin7.ts'

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

test('[ENG-1] the whole ledger is read by month, and identical entries are kept apart', async () => {
  await using simulation = await simulateCin7({ size })
  await using source = await simulation.open()
  const { months } = await read(source, null)
  expect(describeEntries(months)).toEqual(expectedEntries(simulation))
  const keys = [...months.values()].flat().map(([month, id, twin]) => `${month} ${id} ${twin}`)
  expect(new Set(keys).size).toBe(keys.length)
  expect(keys.filter((key) => key.endsWith(' 2')).length).toBe(6)
})

test('[ENG-1] a large ledger is bisected until its spans can be read', async () => {
  await using simulation = await simulateCin7({
    size: { ...size, sales: 4_000 },
    callsPerMinute: 600,
    limits: { calls: 660 },
  })
  await using source = await simulation.open()
  expect(describeEntries((await read(source, null)).months)).toEqual(expectedEntries(simulation))
  const counts = simulation.sim.requests.filter(
    ({ query }) => query['limit'] === '1' && query['fromdate'] !== undefined,
  )
  expect(counts.length).toBeGreaterThan(5)
  expect(counts.length).toBeLessThan(40)
})

test('[ENG-1] an incremental read requests the last two months, one count and one older month', async () => {
  await using simulation = await simulateCin7({ size })
  await using source = await simulation.open()
  const { checkpoint } = await read(source, null)
  const before = simulation.sim.requests.length
  const { months } = await read(source, checkpoint)
  const asked = simulation.sim.requests.slice(before).filter(({ path }) => path === 'transactions')
  expect(asked.map(({ query }) => query['limit'])).toEqual(['1000', '1', '1000'])
  // The month that has just begun is still empty.
  expect([...months.keys()].toSorted()).toEqual(['2025-03', '2026-02'])
})

test('[ENG-1] entries removed from or backdated to an old month are found by their count', async () => {
  await using simulation = await simulateCin7({ size })
  await using source = await simulation.open()
  const first = await read(source, null)
  const [old] = simulation.sim.company.sales.filter((sale) => !sale.voided && sale.stage >= 2)
  Object.assign(old ?? {}, { voided: true })
  const second = await read(source, first.checkpoint)
  expect(describeEntries(new Map([...first.months, ...second.months]))).toEqual(expectedEntries(simulation))
})

test('[ENG-1] a changed amount with an unchanged count is found in the rotation', async () => {
  await using simulation = await simulateCin7({ size })
  await using source = await simulation.open()
  let { checkpoint, months } = await read(source, null)
  const [old] = simulation.sim.company.sales.filter((sale) => !sale.voided && sale.stage >= 2)
  Object.assign(old ?? {}, { freightCents: 99_999 })
  const seen = new Map(months)
  for (let run = 0; run < 13; run += 1) {
    ;({ checkpoint, months } = await read(source, checkpoint))
    for (const [month, rows] of months) seen.set(month, rows)
  }
  expect(describeEntries(seen)).toEqual(expectedEntries(simulation))
})

test('[ENG-1] an interrupted first read resumes with what is missing', async () => {
  await using simulation = await simulateCin7({ size: { ...size, sales: 150 } })
  await using source = await simulation.open()
  simulation.sim.faults.inject({ kind: 'drop', path: 'transactions', after: 2, times: 5 })
  const cut = await read(source, null)
  const rest = await read(source, cut.checkpoint)
  expect(cut.months.size).toBeLessThan(3)
  expect(describeEntries(new Map([...cut.months, ...rest.months]))).toEqual(expectedEntries(simulation))
})

test('[ENG-1] a row that moves to the next page during the read does not count twice', async () => {
  await using simulation = await simulateCin7({
    size: { ...size, sales: 1_500 },
    callsPerMinute: 600,
    limits: { calls: 660 },
  })
  await using source = await simulation.open()
  let slips = 0
  const slip = (body: unknown): unknown => {
    const { Page, Total, Transactions } = body as {
      readonly Page: number
      readonly Total: number
      readonly Transactions: readonly Cin7Row[]
    }
    if (Page !== 2 || slips > 0) return body
    slips += 1
    return { Page, Total: Total + 1, Transactions: [Transactions[0], ...Transactions] }
  }
  simulation.sim.faults.inject({ kind: 'reshape', path: 'transactions', times: Infinity, reshape: slip })
  expect(describeEntries((await read(source, null)).months)).toEqual(expectedEntries(simulation))
  expect(slips).toBe(1)
})

type LedgerEntriesByMonth = Map<string, (string | null)[][]>

/** Returns the entries of every month that was read, and the last checkpoint. A broken connection ends the read. */
async function read(
  source: OpenSource,
  since: Checkpoint | null,
): Promise<{ months: LedgerEntriesByMonth; checkpoint: Checkpoint | null }> {
  const stream = await streamOf(source, 'transactions')
  const months: LedgerEntriesByMonth = new Map()
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

function keep(months: LedgerEntriesByMonth, isMonth: boolean, row: (string | null)[]): void {
  const month = row[0] ?? ''
  if (isMonth) months.set(month, [])
  else months.get(month)?.push(row)
}

/** An entry as its task, day and amount. */
function describeEntries(months: LedgerEntriesByMonth): string[] {
  return [...months.values()]
    .flat()
    .map((row) => `${row[3]} ${row[5]} ${Number(row.at(-1))}`)
    .toSorted()
}

function expectedEntries({ sim }: SimulatedCin7): string[] {
  return sim
    .readRows('transactions')
    .map(
      ({ TaskID, EffectiveDate, Amount }) =>
        `${String(TaskID)} ${String(EffectiveDate).slice(0, 10)} ${Number(Amount)}`,
    )
    .toSorted()
}
