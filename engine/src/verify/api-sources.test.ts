/** Verification of sources without SQL, against simulators that speak their APIs. */
import { describe, expect, test } from 'vitest'
import type { ApiConnector } from '@tributary/testing/engine/apis/api-connector.ts'
import { type Cin7Connector, connectCin7 } from '@tributary/testing/engine/apis/cin7-connector.ts'
import { tinySize as tinyCin7 } from '@tributary/testing/engine/apis/simulated-cin7.ts'
import { tinySize as tinyUniconta } from '@tributary/testing/engine/apis/simulated-uniconta.ts'
import { tinySize as tinyXero } from '@tributary/testing/engine/apis/small-xero.ts'
import { connectUniconta, type UnicontaConnector } from '@tributary/testing/engine/apis/uniconta-connector.ts'
import { connectXero, type XeroConnector } from '@tributary/testing/engine/apis/xero-connector.ts'
import type { StreamVerification } from '../ports/verification.ts'

const minuteMs = 60_000
const xeroOptions = { callsPerMinute: 600, limits: { perMinute: 660 }, size: tinyXero, tier: 'advanced' } as const
const cin7Options = { size: tinyCin7, callsPerMinute: 600, limits: { calls: 660 } }

/** The rows that differ, each with its values in the source and in the target. */
function differing(found: readonly StreamVerification[]) {
  return found.flatMap(({ outcome, differences }) =>
    differences.map(({ table, kind, cause, columns }) => ({ outcome, table, kind, cause, columns })),
  )
}

/** A value that was edited in the target. */
const edited = (table: string, name: string, target: string) => ({
  outcome: 'different',
  table,
  kind: 'different',
  cause: 'writtenAtTarget',
  columns: [{ name, source: expect.any(String), target }],
})

/** A row that only one side has. */
const alone = (table: string, kind: 'missing' | 'additional', cause = 'unknown') => ({
  outcome: 'different',
  table,
  kind,
  cause,
  columns: [],
})

interface SampledApi {
  readonly api: ApiConnector
  /** An edit and a deletion in the target, by table. */
  readonly edits: readonly string[]
  readonly found: readonly unknown[]
}

const apis: readonly (readonly [string, () => Promise<SampledApi>])[] = [
  [
    'Xero',
    async () => ({
      api: await connectXero(xeroOptions),
      edits: [
        `UPDATE invoice_line SET line_amount = 1234.5 WHERE ctid = (SELECT ctid FROM invoice_line LIMIT 1)`,
        `DELETE FROM payment WHERE payment_id = (SELECT min(payment_id::text)::uuid FROM payment)`,
      ],
      found: [edited('invoice_line', 'line_amount', '1234.500000'), alone('payment', 'missing')],
    }),
  ],
  [
    'Cin7 Core',
    async () => ({
      api: await connectCin7(cin7Options),
      edits: [
        `UPDATE customer SET name = 'spoilt ' WHERE id = (SELECT min(id::text)::uuid FROM customer)`,
        `DELETE FROM sale WHERE id = (SELECT min(id::text)::uuid FROM sale)`,
      ],
      found: [edited('customer', 'name', 'spoilt '), alone('sale', 'missing')],
    }),
  ],
  [
    'Uniconta',
    async () => ({
      api: await connectUniconta({ size: tinyUniconta }),
      edits: [
        `UPDATE debtor SET name = 'spoilt ' WHERE ctid = (SELECT ctid FROM debtor LIMIT 1)`,
        `INSERT INTO debtor_group SELECT (jsonb_populate_record(g, '{"group": "none"}')).* FROM debtor_group g LIMIT 1`,
      ],
      found: [edited('debtor', 'name', 'spoilt '), alone('debtor_group', 'additional', 'writtenAtTarget')],
    }),
  ],
]

describe.each(apis)('%s', (_name, connect) => {
  test('[TRUST-5] an equal source is identical in every stream, with the documents that were compared; edits of the target are found with both values, and repaired', async () => {
    const { api: opened, edits, found } = await connect()
    await using api = opened
    await api.run()
    const equal = await api.verify()
    expect(equal.filter(({ outcome }) => outcome !== 'identical')).toEqual([])
    expect(equal.every(({ method }) => method === 'sample')).toBe(true)
    expect(equal.map(({ notice }) => notice)).toContainEqual(
      expect.stringMatching(/^\d+ of \d+ documents, counts and totals equal\.$/u),
    )
    for (const sql of edits) await api.query(sql)
    expect(differing(await api.verify())).toEqual(found)
    const repaired = await api.verify({ repair: true })
    expect(repaired.flatMap(({ differences }) => differences.map(({ isRepaired }) => isRepaired))).toEqual([true, true])
    expect(differing(await api.verify())).toEqual([])
  })
})

describe('Xero', () => {
  async function traded(xero: XeroConnector): Promise<void> {
    await xero.run()
    xero.clock.advance(60 * minuteMs)
    await xero.run()
    xero.clock.advance(60 * minuteMs)
  }

  test('[TRUST-5] a document that changed without its stamp is found with both values, and one with it is left to the next run', async () => {
    await using xero = await connectXero(xeroOptions)
    await traded(xero)
    const { invoiceId } = xero.sim.recode(xero.tenantId)
    expect(differing(await xero.verify({ streams: ['Invoices'] }))).toEqual([
      {
        outcome: 'different',
        table: 'invoice_line',
        kind: 'different',
        cause: 'stampNotMoved',
        columns: expect.arrayContaining([
          { name: 'account_code', source: expect.any(String), target: expect.any(String) },
        ]),
      },
    ])
    await xero.query(`DELETE FROM invoice WHERE invoice_id = '${invoiceId}'`)
    const [repaired] = await xero.verify({ streams: ['Invoices'], repair: true })
    expect(repaired?.differences).toMatchObject([{ kind: 'missing', isRepaired: true }])
    const company = xero.sim.companies.find(({ tenantId }) => tenantId === xero.tenantId)
    Object.assign(company?.invoices[0] ?? {}, { reference: 'changed', updatedAt: xero.clock.now() })
    const [changed] = await xero.verify({ streams: ['Invoices'] })
    expect(changed).toMatchObject({ outcome: 'identical', newerRows: 1 })
    await xero.run()
    expect(await xero.verify({ streams: ['Invoices'] })).toMatchObject([{ outcome: 'identical', newerRows: 0 }])
  })

  test('[TRUST-5] a report that was edited in the target differs from the control totals of Xero', async () => {
    await using xero = await connectXero(xeroOptions)
    await traded(xero)
    await xero.query('UPDATE report_trial_balance SET debit = debit + 1 WHERE debit <> 0')
    const [report] = await xero.verify({ streams: ['Reports/TrialBalance'] })
    expect(report).toMatchObject({ outcome: 'different' })
    expect(report?.notice).toMatch(/control totals of 3 months compared/u)
  })

  test('[TRUST-5] a sample stops when no calls are left', async () => {
    await using xero = await connectXero(xeroOptions)
    await xero.run()
    const callsBefore = xero.sim.requests.length
    const callsLeft = (): number => callsBefore + 30 - xero.sim.requests.length
    const found = await xero.verify({ callsLeft })
    expect(found.length).toBeGreaterThan(3)
    expect(found.length).toBeLessThan(20)
    expect(callsLeft()).toBeGreaterThan(-7)
  })
})

describe('Cin7 Core', () => {
  test('[TRUST-5] its rows in MariaDB are identical in every stream, and a deleted one is found', async () => {
    await using cin7: Cin7Connector = await connectCin7(cin7Options, 'mysql')
    await cin7.run()
    expect((await cin7.verify()).filter(({ outcome }) => outcome !== 'identical')).toEqual([])
    await cin7.target.run('DELETE FROM customer LIMIT 1')
    expect(differing(await cin7.verify({ streams: ['customer'] }))).toMatchObject([
      { kind: 'missing', outcome: 'different', cause: 'unknown' },
    ])
  })

  test('[TRUST-5] a sale that changed without its stamp is found, and a changed one is not reported', async () => {
    await using cin7 = await connectCin7(cin7Options)
    await cin7.run()
    cin7.clock.advance(60 * minuteMs)
    const sale = cin7.sim.company.sales[0]
    if (sale === undefined) throw new Error('There is no sale.')
    Object.assign(sale, { freightCents: sale.freightCents + 100 })
    const [found] = await cin7.verify({ streams: ['sale'] })
    expect(found).toMatchObject({ outcome: 'different' })
    expect(found?.differences.map(({ cause }) => cause)).toContain('stampNotMoved')
    sale.updatedAt = cin7.clock.now()
    expect(await cin7.verify({ streams: ['sale'] })).toMatchObject([{ outcome: 'identical', newerRows: 1 }])
  })
})

describe('Uniconta', () => {
  test('[TRUST-5] a row that differs is undecided until a run has read its table again, which corrects it', async () => {
    await using uniconta: UnicontaConnector = await connectUniconta({ size: tinyUniconta }, 'mysql')
    await uniconta.run()
    await uniconta.target.run(`UPDATE debtor SET name = 'spoilt' LIMIT 1`)
    const [first] = await uniconta.verify({ streams: ['DebtorClient'] })
    expect(first).toMatchObject({ outcome: 'pending', differenceCount: 1 })
    const pendingBefore = () => ({ checkedAt: new Date(uniconta.clock.now()), includes: () => true })
    expect(await uniconta.verify({ streams: ['DebtorClient'], pendingBefore })).toMatchObject([{ outcome: 'pending' }])
    const before = { checkedAt: new Date(0), includes: () => true }
    expect(await uniconta.verify({ streams: ['DebtorClient'], pendingBefore: () => before })).toMatchObject([
      { outcome: 'different', differences: [{ cause: 'unknown' }] },
    ])
    uniconta.clock.advance(minuteMs)
    await uniconta.run()
    expect(await uniconta.verify({ streams: ['DebtorClient'], pendingBefore: () => before })).toMatchObject([
      { outcome: 'identical' },
    ])
  })
})
