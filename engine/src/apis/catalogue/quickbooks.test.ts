import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { isFull } from '@tributary/testing/programmes/extent.ts'
import {
  connectQuickBooks,
  type QuickBooksConnector,
  simulateQuickBooks,
} from '@tributary/testing/engine/described/quickbooks-connector.ts'

const [minuteMs, hourMs, dayMs] = [60_000, 3_600_000, 86_400_000]
const completed = { status: 'completed', fault: null }

function work({ sim, clock }: Pick<QuickBooksConnector, 'sim' | 'clock'>, steps = 6): void {
  for (let step = 0; step < steps; step += 1) {
    clock.advance(hourMs)
    sim.tick()
  }
}

/** The last parts of the paths that were called. */
function paths({ sim }: Pick<QuickBooksConnector, 'sim'>, after = 0): readonly string[] {
  return sim.requests.slice(after).flatMap(({ target }) => /\/(query|cdc)\?/u.exec(target)?.[1] ?? [])
}

describe('[SRC-8] QuickBooks Online', () => {
  test.each(['postgres', 'mysql'] as const)(
    '[SRC-5] a %s target equals the company after inserts, changes and deletions',
    async (to) => {
      await using quickbooks = await connectQuickBooks({}, to)
      expect(await quickbooks.run()).toMatchObject(completed)
      expect(await quickbooks.differences()).toEqual([])
      for (let round = 0; round < 4; round += 1) {
        work(quickbooks)
        expect(await quickbooks.run()).toMatchObject(completed)
        expect(await quickbooks.differences()).toEqual([])
      }
      expect(quickbooks.sim.requests.filter(({ status }) => status !== 200 && status !== 401)).toEqual([])
    },
  )

  test('[SRC-5] an incremental run reads the changes that QuickBooks has captured, deletions included, and not the lists', async () => {
    await using quickbooks = await connectQuickBooks()
    await quickbooks.run()
    const { company, clock, sim } = quickbooks
    clock.advance(10 * minuteMs)
    const [invoice] = company.all('Invoice')
    company.remove('Invoice', invoice?.Id ?? '')
    const before = sim.requests.length
    expect(await quickbooks.run({ streams: ['invoice', 'bill'] })).toMatchObject(completed)
    expect(new Set(paths(quickbooks, before))).toEqual(new Set(['cdc']))
    expect(await quickbooks.query(`select 1 from invoice where id = '${invoice?.Id}'`)).toEqual([])
    expect(await quickbooks.query(`select 1 from invoice_line where invoice_id = '${invoice?.Id}'`)).toEqual([])
  })

  test('[SRC-5] after a pause of more than 29 days everything is read, and deleted rows go', async () => {
    await using quickbooks = await connectQuickBooks()
    await quickbooks.run()
    work(quickbooks, 12)
    quickbooks.clock.advance(40 * dayMs)
    work(quickbooks, 2)
    expect(await quickbooks.run()).toMatchObject(completed)
    expect(await quickbooks.differences()).toEqual([])
    expect(quickbooks.sim.requests.filter(({ status }) => status === 400)).toEqual([])
  })

  test('[SRC-5] with more changes than QuickBooks reports at once, everything is read, and none is missed', async () => {
    await using quickbooks = await connectQuickBooks({ size: 14 * 1_150 })
    const streams = ['transfer']
    expect(await quickbooks.run({ streams })).toMatchObject(completed)
    const { company, clock } = quickbooks
    clock.advance(10 * minuteMs)
    for (const { Id } of company.all('Transfer')) company.change('Transfer', Id, { PrivateNote: 'All of them' })
    const [gone] = company.all('Transfer')
    company.remove('Transfer', gone?.Id ?? '')
    expect(await quickbooks.run({ streams })).toMatchObject(completed)
    const [{ changed } = {}] = await quickbooks.query(
      `select count(*)::int as changed from transfer where private_note = 'All of them' and id <> '${gone?.Id}'`,
    )
    expect(changed).toBe(company.all('Transfer').length)
    clock.advance(dayMs)
    await quickbooks.run({ streams })
    expect(await quickbooks.query(`select 1 from transfer where id = '${gone?.Id}'`)).toEqual([])
  })

  test('[SRC-3] records that are deleted while pages are read hide no other', async () => {
    let reads = 0
    await using quickbooks = await connectQuickBooks({
      size: 14 * 2_100,
      beforeReply(company, path) {
        const [first] = company.all('Transfer')
        if (path !== 'query' || first === undefined) return
        reads += 1
        // After the first page: every record behind moves one place to the front.
        if (reads === 2) company.remove('Transfer', first.Id)
      },
    })
    reads = 0
    expect(await quickbooks.run({ streams: ['transfer'] })).toMatchObject(completed)
    const rows = await quickbooks.query('select id from transfer')
    const missing = quickbooks.company.all('Transfer').filter(({ Id }) => !rows.some(({ id }) => id === Id))
    expect(missing).toEqual([])
  })

  test.each(isFull ? [3, 11, 26] : [11])(
    '[SRC-13] a run killed at call %i, and again later, loses and doubles no row',
    async (killAt) => {
      await using quickbooks = await connectQuickBooks({ size: 120 })
      for (const isFirst of [true, false]) {
        const runId = randomUUID()
        for (let kill = 1; kill <= 3; kill += 1) {
          const stop = new AbortController()
          const end = quickbooks.sim.requests.length + killAt * kill
          const run = quickbooks.run({ signal: stop.signal, runId })
          while (quickbooks.sim.requests.length < end && !(await isSettled(run))) await new Promise(setImmediate)
          stop.abort(new Error('killed'))
          await run
          work(quickbooks, 1)
        }
        expect(await quickbooks.run({ runId })).toMatchObject(completed)
        expect([isFirst, await quickbooks.run()]).toMatchObject([isFirst, completed])
        expect(await quickbooks.differences()).toEqual([])
        work(quickbooks, 8)
      }
    },
  )

  test('[SRC-6] [SRC-13] refusals with and without Retry-After, failures and cuts are repeated, and nothing is lost', async () => {
    await using quickbooks = await connectQuickBooks()
    quickbooks.sim.faults.inject(
      { kind: 'status', status: 429, retryAfterSeconds: 7, after: 2 },
      { kind: 'status', status: 429, after: 5 },
      { kind: 'status', status: 403, code: '003001', after: 7 },
      { kind: 'status', status: 500, after: 9 },
      { kind: 'status', status: 503, after: 11 },
      { kind: 'drop', after: 14 },
      { kind: 'cut', after: 17 },
    )
    expect(await quickbooks.run()).toMatchObject(completed)
    expect(await quickbooks.differences()).toEqual([])
    expect(quickbooks.sim.requests.filter(({ status }) => status === 429)).toHaveLength(2)
  })

  test('[SRC-6] the pace stays within what Intuit allows', async () => {
    await using quickbooks = await connectQuickBooks({ callsPerMinute: 500, size: 200 })
    for (let round = 0; round < 12; round += 1) expect(await quickbooks.run()).toMatchObject(completed)
    expect(quickbooks.sim.requests.filter(({ status }) => status === 429)).toEqual([])
  })

  test('[SRC-2] a token that expires during a run is renewed once, and a refused company stops the run and says what to do', async () => {
    await using quickbooks = await connectQuickBooks()
    await quickbooks.run()
    const { clock, sim, company } = quickbooks
    clock.advance(3 * hourMs)
    const before = sim.requests.length
    expect(await quickbooks.run()).toMatchObject(completed)
    expect(sim.requests.slice(before).filter(({ status }) => status === 401).length).toBeLessThan(2)
    await using there = await simulateQuickBooks()
    const other = there.sim.person.realmIds.find((realmId) => realmId !== company.realmId) ?? ''
    await using source = await there.open(undefined, there.sim.identity.issue(other).accessToken)
    await expect(source.streams()).rejects.toMatchObject({
      kind: 'signIn',
      notice: 'QuickBooks no longer lets Tributary read this company. Connect it again under Manage.',
    })
  })

  test('[SRC-4] decimals keep every digit, and members without a column are kept as JSON', async () => {
    await using quickbooks = await connectQuickBooks()
    await quickbooks.run()
    const [line] = await quickbooks.query(
      "select qty::text, unit_price::text from invoice_line where detail_type = 'SalesItemLineDetail' order by invoice_id, ordinal limit 1",
    )
    expect(line).toMatchObject({ qty: expect.stringMatching(/^0\.\d{17,18}$/u) })
    const [invoice] = await quickbooks.query('select other from invoice limit 1')
    expect(invoice?.['other']).toMatchObject({ domain: 'QBO', sparse: false })
  })

  test('[SRC-4] a value of the wrong type is rejected with its row, named, and the other rows are moved', async () => {
    await using quickbooks = await connectQuickBooks()
    const [first, ...others] = quickbooks.company.all('Transfer')
    quickbooks.company.change('Transfer', first?.Id ?? '', { Amount: 'about 12' })
    const outcome = await quickbooks.run({ streams: ['transfer'] })
    expect(JSON.stringify(outcome)).toContain('about 12')
    expect(await quickbooks.query('select id from transfer')).toHaveLength(others.length)
  })
})

describe('[SRC-8] verification of QuickBooks Online', () => {
  test('reads records again and finds those that differ; reports by month are left to the tie-out', async () => {
    await using quickbooks = await connectQuickBooks()
    await quickbooks.run()
    const good = await quickbooks.verify()
    const others = good.filter(({ outcome }) => outcome !== 'identical')
    expect(others.map(({ stream, outcome }) => [stream, outcome])).toEqual([
      ['ledger', 'notProvable'],
      ['journal', 'notProvable'],
    ])
    await quickbooks.query("update invoice set private_note = 'not this' where id = (select min(id) from invoice)")
    const [invoice] = await quickbooks.verify({ streams: ['invoice'] })
    expect(invoice).toMatchObject({ outcome: 'different' })
  })
})

describe('[SRC-8] the ledger of QuickBooks Online', () => {
  test.each(['postgres', 'mysql'] as const)(
    'in %s ties out to 0.00 with the journal, in every month and for every account, after documents of past months change',
    async (to) => {
      await using quickbooks = await connectQuickBooks({ size: 140 }, to)
      for (let round = 0; round < 3; round += 1) {
        const { tieOut, ...outcome } = await quickbooks.run()
        expect(outcome).toMatchObject(completed)
        expect(tieOut).toMatchObject({ state: 'green', fault: null, company: 'Harbour Gardens' })
        const months = new Set(tieOut?.lines.map(({ period }) => period))
        expect(months.size).toBeGreaterThan(3)
        expect(tieOut?.lines.filter(({ computed, reported }) => computed !== reported)).toEqual([])
        work(quickbooks, 3)
      }
    },
  )

  test('has the postings of each document, debits and credits equal', async () => {
    await using quickbooks = await connectQuickBooks()
    await quickbooks.run()
    const rows = await quickbooks.query(
      'select txn_type, txn_id, sum(debit)::text as debit, sum(credit)::text as credit from ledger_line group by 1, 2',
    )
    expect(rows.filter(({ debit, credit }) => debit !== credit)).toEqual([])
    const documents = ['Invoice', 'Bill', 'JournalEntry', 'Transfer'] as const
    const posted = (title: string) => rows.filter(({ txn_type: kind }) => kind === title).length
    expect(documents.map((kind) => posted(kind.replace('JournalEntry', 'Journal Entry')))).toEqual(
      documents.map((kind) => quickbooks.company.all(kind).length),
    )
  })

  test('a posting that is missing or changed in the target is found in the month, and read again', async () => {
    await using quickbooks = await connectQuickBooks({ size: 140 })
    await quickbooks.run()
    const [line] = await quickbooks.query(
      "select month::text, txn_id from ledger_line where month < date_trunc('month', (select max(month) from ledger)) - interval '1 month' order by 1, 2 limit 1",
    )
    await quickbooks.query(`delete from ledger_line where txn_id = '${String(line?.['txn_id'])}' and debit is not null`)
    const { tieOut } = await quickbooks.run()
    expect(tieOut).toMatchObject({ state: 'green', mended: [line?.['month']] })
  })
})

async function isSettled(run: Promise<unknown>): Promise<boolean> {
  const pending = Symbol('pending')
  return (await Promise.race([run, Promise.resolve(pending)])) !== pending
}
