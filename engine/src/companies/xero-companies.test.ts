/** Three companies of a simulated Xero in one set of tables, compared with Xero cell by cell and with its trial balance. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { tinySize } from '@tributary/testing/engine/apis/small-xero.ts'
import { connectXeroCompanies, type XeroCompanies } from '@tributary/testing/engine/companies/xero-companies.ts'

describe('three companies of Xero', () => {
  let xero: XeroCompanies
  beforeAll(async () => {
    xero = await connectXeroCompanies({ size: tinySize, callsPerMinute: 600, limits: { perMinute: 660 } })
  })
  afterAll(() => xero[Symbol.asyncDispose]())

  async function expectEqual(): Promise<void> {
    for (const company of xero.chosen) expect(await xero.differences(company)).toEqual([])
  }

  async function runAll(): Promise<void> {
    expect(await xero.run()).toMatchObject({ status: 'completed', fault: null })
    for (const each of xero.single) expect((await each.run()).status).toBe('completed')
  }

  test('[SRC-12] every table equals the union of connectors of one company each, at first and after each company has changed', async () => {
    await runAll()
    await expectEqual()
    for (let step = 0; step < 3; step++) for (const { id } of xero.chosen) xero.sim.tick(id)
    xero.clock.advance(24 * 3_600_000)
    await runAll()
    await expectEqual()
  })

  test('[SRC-12] each company is compared with its own trial balance, and red is only the one that differs', async () => {
    const { tieOut } = await xero.run()
    expect(tieOut?.companies?.map(({ name, currency }) => [name, currency])).toEqual([
      ['Harbour Trading', 'NZD'],
      ['Harbour Trading Australia', 'AUD'],
      ['Summit Foods', 'NZD'],
    ])
    expect(tieOut?.companies?.map(({ state }) => state)).not.toContain('red')
    const [, second] = xero.chosen
    xero.sim.faults.inject({
      kind: 'reshape',
      path: 'reports/trialbalance',
      times: 1_000,
      reshape: (report) => withOneCentMore(report, second?.name ?? ''),
    })
    const differing = (await xero.run()).tieOut
    xero.sim.faults.clear()
    expect(differing?.companies?.map(({ state }) => state === 'red')).toEqual([false, true, false])
    const red = differing?.lines.filter(({ state }) => state === 'red') ?? []
    expect(new Set(red.map(({ company }) => company))).toEqual(new Set([second?.id]))
    expect(
      new Set(red.map(({ computed, reported }) => Math.round((Number(reported) - Number(computed)) * 100))),
    ).toEqual(new Set([1]))
    expect((await xero.run()).tieOut?.companies?.map(({ state }) => state)).not.toContain('red')
  })

  test('[SRC-12] the ledger and the ready questions have a row for each company under its id', async () => {
    const views = ['general_ledger', 'trial_balance']
    for (const view of views) {
      const rows = await xero.query(`SELECT DISTINCT company_id FROM "Shop".${view} ORDER BY 1`)
      expect(rows.map(({ company_id: id }) => id)).toEqual(xero.chosen.map(({ id }) => id).toSorted())
      const [definition] = await xero.query(`SELECT pg_get_viewdef('"Shop".${view}') AS text`)
      // A view is written again with every table that it reads, so it must not grow with the companies.
      for (const { id } of xero.chosen) expect(String(definition?.['text']).split(id)).toHaveLength(2)
    }
  })

  test('[SRC-12] verification compares documents of every company', async () => {
    const [invoices] = await xero.verify({ streams: ['Invoices'] })
    expect(invoices).toMatchObject({ outcome: 'identical', differenceCount: 0 })
    const [one] = xero.chosen
    const own = `WHERE company_id = '${one?.id}'`
    await xero.target.run(`UPDATE "Shop".invoice SET reference = reference || 'spoilt' ${own}`)
    const [spoilt] = await xero.verify({ streams: ['Invoices'] })
    expect(spoilt?.outcome).toBe('different')
    expect(spoilt?.differences[0]?.key).toMatchObject({ company_id: one?.id })
    await xero.target.run(`UPDATE "Shop".invoice SET reference = left(reference, -length('spoilt')) ${own}`)
  })

  test('[SRC-12] a company that is disconnected at Xero keeps its rows, and is named; the others are compared and current', async () => {
    const [one, two, three] = xero.chosen
    if (one === undefined || two === undefined || three === undefined) return
    const before = await xero.query(`SELECT * FROM "Shop".invoice WHERE company_id = '${two.id}' ORDER BY invoice_id`)
    xero.sim.disconnect(two.id)
    xero.clock.advance(25 * 3_600_000)
    for (const { id } of xero.chosen) xero.sim.tick(id)
    const { status, fault, tieOut } = await xero.run()
    expect(status).toBe('failed')
    expect(fault?.notice).toMatch(/1 of 3 companies could not be read.*‘Harbour Trading Australia’/u)
    for (const each of xero.single) await each.run()
    expect(await xero.differences(one)).toEqual([])
    expect(await xero.differences(three)).toEqual([])
    expect(await xero.query(`SELECT * FROM "Shop".invoice WHERE company_id = '${two.id}' ORDER BY invoice_id`)).toEqual(
      before,
    )
    expect(tieOut?.companies?.find(({ id }) => id === two.id)).toMatchObject({
      state: 'amber',
      notice: expect.stringMatching(/could not be read/u),
    })
  })

  test('[SRC-12] a company that is taken off leaves every table', async () => {
    const [gone] = xero.chosen.splice(1, 1)
    expect(await xero.run()).toMatchObject({ status: 'completed', fault: null })
    for (const { name } of await xero.query(
      `SELECT table_name AS name FROM information_schema.columns WHERE table_schema = 'Shop' AND column_name = 'company_id'`,
    ))
      expect(
        await xero.query(
          `SELECT '${String(name)}' AS name FROM "Shop"."${String(name)}" WHERE company_id = '${gone?.id}'`,
        ),
      ).toEqual([])
    await expectEqual()
  })
})

/** The report of this company with a cent more in each debit of its accounts in the month. */
function withOneCentMore(report: unknown, company: string): unknown {
  if (!JSON.stringify(report).includes(`"${company}"`)) return report
  return JSON.parse(JSON.stringify(report), (_, value: unknown) => {
    const { RowType: type, Cells: cells } = (value ?? {}) as { RowType?: string; Cells?: readonly { Value: string }[] }
    const debit = cells?.[1]
    if (type !== 'Row' || debit === undefined || debit.Value === '') return value
    debit.Value = (Number(debit.Value) + 0.01).toFixed(2)
    return value
  })
}
