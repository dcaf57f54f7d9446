import { afterEach, beforeAll, expect, test } from 'vitest'
import { addingKey, changingKey } from '@tributary/sims/cin7/injected-faults'
import type { Cin7InjectedFault } from '@tributary/sims/cin7/injected-faults'
import { connectCin7 } from '../../engine/apis/cin7-connector.ts'
import type { SyncOutcome } from '../../../engine/src/sync/sync-request.ts'
import type { Cin7Connector } from '../../engine/apis/cin7-connector.ts'

const size = {
  products: 30,
  customers: 8,
  suppliers: 3,
  sales: 14,
  purchases: 4,
  salesMax: 20,
  purchasesMax: 6,
  tasks: 3,
}
const allStreams = ['account', 'product', 'saleList', 'sale', 'stockTransfer', 'transactions']
const tables =
  /^(account|product|product_(supplier|reorder|bom|custom).*|sale|sale_(?!credit_note_list).*|stock_transfer.*|ledger_entry)$/

interface InjectedFaultCase {
  readonly what: string
  readonly injected: readonly Cin7InjectedFault[]
  /** The fault of the run; absent if it completes. */
  readonly fault?: { readonly kind: string; readonly code: string; readonly says: unknown }
  /** The streams of the disturbed run, if not all. */
  readonly streams?: readonly string[]
  /** Streams that complete in the same run. */
  readonly done?: readonly string[]
}

const page = (text: string): NonNullable<Cin7InjectedFault['reply']> => ({
  status: 200,
  body: `<!DOCTYPE html><html><body>${text}</body></html>`,
})
const failing = { kind: 'passing', code: 'cin7.failing', says: expect.stringContaining('server problem at the moment') }
const unreachable = {
  kind: 'passing',
  code: 'cin7.unreachable',
  says: expect.stringContaining('tries again with the next run'),
}
const shapeless = {
  kind: 'data',
  code: 'cin7.unknown_shape',
  says: expect.stringContaining('its rows were not changed'),
}

const cases: readonly InjectedFaultCase[] = [
  { what: 'a limit in the middle of the documents', injected: [{ kind: 'limit', path: 'sale', after: 2, times: 3 }] },
  {
    what: 'a limit that persists',
    injected: [{ kind: 'limit', path: 'sale', after: 2, times: 6 }],
    fault: { kind: 'busy', code: 'cin7.limit_reached', says: expect.stringContaining('What has been read is kept') },
  },
  {
    what: 'a 429 with Retry-After',
    injected: [{ kind: 'reply', path: 'salelist', reply: { status: 429, body: '', headers: { 'retry-after': '9' } } }],
  },
  {
    what: 'a single server error',
    injected: [{ kind: 'reply', path: 'product', reply: { status: 500, body: 'oops' } }],
  },
  {
    what: 'a server error that persists',
    injected: [{ kind: 'reply', path: 'sale', after: 2, times: 3, reply: { status: 500, body: 'oops' } }],
    fault: failing,
  },
  {
    what: 'a connection that breaks in the middle of a response',
    injected: [
      { kind: 'cut', path: 'product', times: 2 },
      { kind: 'cut', path: 'sale', times: 2 },
    ],
  },
  {
    what: 'a connection that always breaks in the middle of a response',
    injected: [{ kind: 'cut', path: 'sale', after: 1, times: 5 }],
    fault: unreachable,
  },
  { what: 'connections that break', injected: [{ kind: 'drop', path: 'stocktransfer', times: 5 }], fault: unreachable },
  { what: 'a slow response', injected: [{ kind: 'slow', path: 'product', waitMs: 200 }] },
  {
    what: 'a single maintenance page',
    injected: [{ kind: 'reply', path: 'salelist', reply: page('Down for maintenance') }],
  },
  {
    what: 'a maintenance page that persists',
    injected: [
      { kind: 'reply', path: 'account', times: 3, reply: page('Closed') },
      { kind: 'reply', path: 'ref/account', times: 3, reply: page('Closed') },
    ],
    fault: failing,
  },
  {
    what: 'a “not found” page',
    injected: [{ kind: 'reply', path: 'product', reply: page('Page not found') }],
    fault: { kind: 'settings', code: 'cin7.not_available', says: expect.stringContaining('module') },
    done: ['account', 'saleList', 'sale', 'stockTransfer', 'transactions'],
  },
  {
    what: 'an unknown field',
    injected: ['product', 'salelist', 'transactions'].map((path) => ({
      kind: 'reshape',
      path,
      times: Infinity,
      reshape: addingKey('Surprise', { deep: [1] }),
    })),
  },
  {
    what: 'numbers as text',
    injected: ['Total', 'Price', 'Quantity', 'Amount'].map((key) => ({
      kind: 'reshape',
      path: 'sale',
      times: 5,
      reshape: changingKey(key, String),
    })),
  },
  {
    what: 'a row count as text',
    injected: [{ kind: 'reshape', path: 'transactions', times: Infinity, reshape: changingKey('Total', String) }],
  },
  {
    what: 'a list that is null',
    injected: [{ kind: 'reshape', path: 'product', reshape: changingKey('Products', () => null) }],
    fault: shapeless,
    done: ['account', 'saleList', 'sale', 'stockTransfer', 'transactions'],
  },
  {
    what: 'a missing list',
    injected: [{ kind: 'reshape', path: 'ref/account', reshape: changingKey('AccountsList', () => undefined) }],
    fault: shapeless,
    done: ['product', 'saleList', 'sale', 'stockTransfer', 'transactions'],
  },
  {
    what: 'rows without their key',
    injected: [{ kind: 'reshape', path: 'product', reshape: changingKey('ID', () => undefined) }],
    fault: shapeless,
    done: ['account', 'saleList', 'sale', 'stockTransfer', 'transactions'],
  },
  {
    what: 'rows without their change date',
    injected: [{ kind: 'reshape', path: 'salelist', reshape: changingKey('Updated', () => undefined) }],
    streams: ['sale'],
    fault: shapeless,
  },
]

let cin7: Cin7Connector
beforeAll(async () => {
  cin7 = await connectCin7({ size })
  await cin7.run({ streams: allStreams })
  return () => cin7[Symbol.asyncDispose]()
})
afterEach(() => cin7.sim.faults.clear())

test.each(cases)('[ENG-1] $what: no row is lost or duplicated, and the next run continues', async (given) => {
  const before = await counts()
  goOn()
  cin7.sim.faults.inject(...given.injected)
  const outcome = await cin7.run({ streams: given.streams ?? allStreams })
  expect(describeOutcome(outcome)).toMatchObject(
    given.fault === undefined ? { status: 'completed' } : { status: 'failed', ...given.fault },
  )
  expect(
    outcome.streams.filter(({ progress }) => progress.phase === 'done').map(({ progress }) => progress.stream),
  ).toEqual(expect.arrayContaining([...(given.done ?? [])]))
  if (given.fault === undefined) expect(await cin7.differences(tables)).toEqual([])
  const after = await counts()
  expect(Object.keys(before).filter((table) => (after[table] ?? 0) < (before[table] ?? 0))).toEqual([])

  cin7.sim.faults.clear()
  expect(await cin7.run({ streams: allStreams })).toMatchObject({ status: 'completed', fault: null })
  expect(await cin7.differences(tables)).toEqual([])
})

test('[ENG-1] a missing value becomes empty, a null list has no rows, and a full refresh restores both', async () => {
  cin7.sim.faults.inject({
    kind: 'reshape',
    path: 'product',
    times: Infinity,
    reshape: changingKey('Barcode', () => undefined),
  })
  expect(await cin7.run({ streams: ['product'], syncMode: 'full' })).toMatchObject({ status: 'completed' })
  expect(await cin7.query('select count(*)::int as rows, count(barcode)::int as barcodes from product')).toEqual([
    { rows: 30, barcodes: 0 },
  ])
  cin7.sim.faults.clear()
  cin7.sim.faults.inject({
    kind: 'reshape',
    path: 'product',
    times: Infinity,
    reshape: changingKey('Suppliers', () => null),
  })
  expect(await cin7.run({ streams: ['product'], syncMode: 'full' })).toMatchObject({ status: 'completed' })
  expect(await cin7.query('select count(*)::int as rows from product_supplier')).toEqual([{ rows: 0 }])
  cin7.sim.faults.clear()
  expect(await cin7.run({ streams: ['product'], syncMode: 'full' })).toMatchObject({ status: 'completed' })
  expect(await cin7.differences(tables)).toEqual([])
})

function describeOutcome({ status, fault }: SyncOutcome): unknown {
  return { status, kind: fault?.kind, code: fault?.code, says: fault?.notice }
}

/** A day on which some goods are sold and moved. */
function goOn(): void {
  for (let hour = 0; hour < 25; hour += 1) {
    cin7.clock.advance(3_600_000)
    if (hour % 5 === 0) cin7.sim.tick()
  }
}

async function counts(): Promise<Record<string, number>> {
  const [row = {}] = await cin7.query(
    'select (select count(*)::int from account) as account, (select count(*)::int from product) as product, (select count(*)::int from sale) as sale, (select count(*)::int from sale_list) as sale_list, (select count(*)::int from ledger_month) as ledger_month',
  )
  return row as Record<string, number>
}
