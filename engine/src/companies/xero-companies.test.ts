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
    await xero.target.run(
      `UPDATE "Shop".report_trial_balance SET debit = debit + 1 WHERE company_id = '${second?.id}' AND debit > 0`,
    )
    const red = (await xero.run()).tieOut
    expect(red?.companies?.map(({ state }) => state === 'red')).toEqual([false, false, false])
  })

  test('[SRC-12] the ledger and the ready questions have a row for each company under its id', async () => {
    const views = ['general_ledger', 'trial_balance']
    for (const view of views) {
      const rows = await xero.query(`SELECT DISTINCT company_id FROM "Shop".${view} ORDER BY 1`)
      expect(rows.map(({ company_id: id }) => id)).toEqual(xero.chosen.map(({ id }) => id).toSorted())
    }
  })

  test('[SRC-12] verification compares documents of every company', async () => {
    await runAll()
    const [invoices] = await xero.verify({ streams: ['Invoices'] })
    expect(invoices).toMatchObject({ outcome: 'identical', differenceCount: 0 })
    const [one] = xero.chosen
    await xero.target.run(`UPDATE "Shop".invoice SET reference = 'spoilt' WHERE company_id = '${one?.id}'`)
    const [spoilt] = await xero.verify({ streams: ['Invoices'] })
    expect(spoilt?.outcome).toBe('different')
    expect(spoilt?.differences[0]?.key).toMatchObject({ company_id: one?.id })
    for (const each of [xero, ...xero.single]) expect((await each.run({ syncMode: 'full' })).status).toBe('completed')
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
