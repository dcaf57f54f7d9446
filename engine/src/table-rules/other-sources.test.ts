/** Filters and masks of sources without SQL, runs that are killed, and what a tie-out says. */
import { createHmac } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { connectCin7 } from '@tributary/testing/engine/apis/cin7-connector.ts'
import { tinySize as tinyCin7 } from '@tributary/testing/engine/apis/simulated-cin7.ts'
import { tinySize as tinyUniconta } from '@tributary/testing/engine/apis/simulated-uniconta.ts'
import { tinySize as tinyXero } from '@tributary/testing/engine/apis/small-xero.ts'
import { connectUniconta } from '@tributary/testing/engine/apis/uniconta-connector.ts'
import { connectXero } from '@tributary/testing/engine/apis/xero-connector.ts'
import { makeDatabasePair, testSecret } from '@tributary/testing/engine/databases/database-pair.ts'
import { simulateStripe } from '@tributary/testing/engine/described/stripe-connector.ts'
import type { StreamVerification } from '../ports/verification.ts'
import { applyTableRules } from './ruled-source.ts'

const minuteMs = 60_000
const xeroOptions = { callsPerMinute: 600, limits: { perMinute: 660 }, size: tinyXero, tier: 'advanced' } as const
const hashOf = (text: string): string => createHmac('sha256', testSecret).update(text).digest('hex')
const outcomes = (found: readonly StreamVerification[]) =>
  found
    .filter(({ outcome }) => outcome !== 'identical')
    .map(({ stream, outcome, notice }) => ({ stream, outcome, notice }))

describe('Xero', () => {
  test('[SRC-11] documents that do not match stay out with their lines, and leave with them when they stop matching', async () => {
    await using xero = await connectXero(xeroOptions)
    await xero.run()
    const all = await xero.query(`SELECT invoice_id, type FROM invoice ORDER BY 1`)
    const lines = await xero.query('SELECT invoice_id FROM invoice_line')
    const kept = new Set(all.filter(({ type }) => type === 'ACCREC').map(({ invoice_id: id }) => id))
    expect(kept.size).toBeGreaterThan(0)
    expect(kept.size).toBeLessThan(all.length)
    xero.rules.set('Invoices', { conditions: [{ column: 'type', operator: 'is', values: ['ACCREC'] }], masks: [] })
    xero.clock.advance(60 * minuteMs)
    const { tieOut } = await xero.run()
    expect(tieOut).toMatchObject({
      state: 'amber',
      lines: [],
      notice: expect.stringContaining('invoice (Filtered: only rows where type is ‘ACCREC’.)'),
    })
    const ids = async (table: string) => (await xero.query(`SELECT invoice_id AS id FROM ${table}`)).map(({ id }) => id)
    expect(new Set(await ids('invoice'))).toEqual(kept)
    expect((await ids('invoice_line')).length).toBe(lines.filter(({ invoice_id: id }) => kept.has(id)).length)
    expect(outcomes(await xero.verify({ streams: ['Invoices'] }))).toEqual([])

    // A stamp that moves makes the document part of the next read of changes.
    const company = xero.sim.companies.find(({ tenantId }) => tenantId === xero.tenantId)
    const changed = company?.invoices.find(({ id }) => kept.has(id))
    if (changed === undefined) throw new Error('There is no such invoice.')
    xero.rules.set('Invoices', {
      conditions: [{ column: 'reference', operator: 'isNot', values: ['leaves'] }],
      masks: [],
    })
    xero.clock.advance(60 * minuteMs)
    await xero.run()
    expect(await ids('invoice')).toContain(changed.id)
    xero.clock.advance(60 * minuteMs)
    Object.assign(changed, { reference: 'leaves', updatedAt: xero.clock.now() })
    xero.clock.advance(60 * minuteMs)
    await xero.run()
    expect((await ids('invoice')).length).toBe(all.length - 1)
    expect(await ids('invoice')).not.toContain(changed.id)
    expect(await ids('invoice_line')).not.toContain(changed.id)
  })

  test('[SRC-11] masked columns of a table and of its children arrive hashed, and are sampled masked', async () => {
    await using xero = await connectXero(xeroOptions)
    await xero.run()
    const before = await xero.query('SELECT contact_id, name FROM contact ORDER BY 1')
    const city = await xero.query('SELECT DISTINCT city FROM contact_address WHERE city IS NOT NULL ORDER BY 1')
    xero.rules.set('Contacts', {
      conditions: [],
      masks: [
        { table: 'contact', column: 'name', method: { kind: 'hash' } },
        { table: 'contact_address', column: 'city', method: { kind: 'clear' } },
      ],
    })
    xero.clock.advance(60 * minuteMs)
    await xero.run()
    expect(city.length).toBeGreaterThan(0)
    expect(await xero.query('SELECT city FROM contact_address WHERE city IS NOT NULL')).toEqual([])
    expect(await xero.query('SELECT contact_id, name FROM contact ORDER BY 1')).toEqual(
      before.map(({ contact_id: id, name }) => ({ contact_id: id, name: hashOf(String(name)) })),
    )
    expect(outcomes(await xero.verify({ streams: ['Contacts'] }))).toEqual([])
  })
})

test('[SRC-11] Cin7 Core: a filtered list keeps its rows although keys are listed without other values, and a deleted row leaves', async () => {
  await using cin7 = await connectCin7({ size: tinyCin7, callsPerMinute: 600, limits: { calls: 660 } })
  const streams = ['customer']
  await cin7.run({ streams })
  const all = await cin7.query('SELECT id, name FROM customer')
  const sorted = all.toSorted((one, other) =>
    Buffer.compare(Buffer.from(String(one['name'])), Buffer.from(String(other['name']))),
  )
  const half = String(sorted[Math.floor(all.length / 2)]?.['name'])
  const kept = new Set(sorted.slice(0, Math.floor(all.length / 2)).map(({ id }) => id))
  cin7.rules.set('customer', { conditions: [{ column: 'name', operator: 'isLess', values: [half] }], masks: [] })
  const runADayLater = async () => {
    cin7.clock.advance(25 * 60 * minuteMs)
    expect((await cin7.run({ streams })).status).toBe('completed')
    expect(cin7.logLines.join('\n')).not.toMatch(/comparing keys showed/u)
    return new Set((await cin7.query('SELECT id FROM customer')).map(({ id }) => id))
  }
  expect(await runADayLater()).toEqual(kept)
  expect(await runADayLater()).toEqual(kept)
  const { customers } = cin7.sim.company
  const [gone] = customers.splice(
    customers.findIndex(({ ID }) => kept.has(ID)),
    1,
  )
  kept.delete(gone?.ID)
  expect(await runADayLater()).toEqual(kept)
  expect(outcomes(await cin7.verify({ streams }))).toEqual([])
})

test('[SRC-11] Uniconta: the keys of posted entries are compared with the filter', async () => {
  await using uniconta = await connectUniconta({ size: tinyUniconta }, 'postgres')
  await uniconta.run({ streams: ['GLTransClient'] })
  const all = await uniconta.query('SELECT amount FROM gl_trans')
  const kept = all.filter(({ amount }) => Number(amount) > 0)
  uniconta.rules.set('GLTransClient', {
    conditions: [{ column: 'amount', operator: 'isGreater', values: ['0'] }],
    masks: [],
  })
  for (let day = 0; day < 2; day += 1) {
    uniconta.clock.advance(25 * 60 * minuteMs)
    expect((await uniconta.run({ streams: ['GLTransClient'] })).status).toBe('completed')
    expect(uniconta.logLines.join('\n')).not.toMatch(/comparing keys showed/u)
    expect((await uniconta.query('SELECT 1 FROM gl_trans')).length).toBe(kept.length)
  }
})

test.each(['postgres', 'mysql'] as const)(
  '[SRC-11] a run from %s that is killed in any phase loses no row and keeps none that does not match',
  async (from) => {
    const stamp =
      from === 'mysql'
        ? ', changed timestamp(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)'
        : ''
    await using pair = await makeDatabasePair(from, 'postgres', [
      `CREATE TABLE sale (id int NOT NULL PRIMARY KEY, total int${stamp})`,
      `INSERT INTO sale (id, total) VALUES ${Array.from({ length: 40 }, (_, at) => `(${at}, ${at})`).join(', ')}`,
    ])
    const stream = from === 'postgres' ? 'public.sale' : 'sale'
    const phases = ['preparing', 'reading', 'finishing', 'sweeping'] as const
    for (const [round, phase] of [...phases, ...phases].entries()) {
      if (round % 4 === 0)
        pair.rules.set(stream, {
          conditions: [{ column: 'total', operator: 'isAtLeast', values: [String(20 + round)] }],
          masks: [],
        })
      await pair.source.run(`UPDATE sale SET total = 45 - total WHERE id % 7 = ${round % 7}`)
      await pair.source.settle()
      const stop = new AbortController()
      const killed = await pair.run({
        signal: stop.signal,
        report: (progress) => {
          if (progress.phase === phase) stop.abort(new Error('killed'))
        },
      })
      expect(['cancelled', 'completed']).toContain(killed.status)
      expect((await pair.run()).fault).toBeNull()
      const limit = 20 + round - (round % 4)
      const expected = await pair.source.run(`SELECT id FROM sale WHERE total >= ${limit} ORDER BY id`)
      const rows = Array.isArray(expected) ? expected : (expected as { rows: { id: number }[] }).rows
      const arrived = await pair.target.read('sale')
      expect(
        arrived.rows.map((row) => Number(row[arrived.columns.indexOf('id')])).toSorted((one, other) => one - other),
      ).toEqual((rows as { id: number | string }[]).map(({ id }) => Number(id)))
    }
  },
)

describe('a source that knows its account once it has listed its tables', () => {
  test('[SRC-11] identifies it with rules, too, so that rows of another account are replaced', async () => {
    await using stripe = await simulateStripe()
    await using plain = await stripe.open()
    await plain.streams()
    const rules = new Map([
      ['customer', { conditions: [], masks: [{ table: 'customer', column: 'email', method: { kind: 'clear' } }] }],
    ] as const)
    await using ruled = applyTableRules(await stripe.open(), { rules, secret: Buffer.alloc(32), log: () => {} })
    await ruled.streams()
    expect(ruled.origin).toEqual(expect.any(String))
    expect(ruled.origin).toBe(plain.origin)
  })
})
