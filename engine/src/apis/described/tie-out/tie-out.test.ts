/** The tie-out of described sources: rows against the source's own report of each month. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { connectLedger, ledgerDescription } from '@tributary/testing/engine/described/ledger-connector.ts'
import type { Checkpoint } from '../../../ports/model.ts'
import { parseDescription } from '../description/parse.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

type Ledger = Awaited<ReturnType<typeof connectLedger>>

/** Three months, a month without entries, a correction, and an account that returns to zero. */
function postUsual({ post }: Ledger): void {
  post('2025-11-30', ['1000', 125_050n], ['4000', -125_050n])
  post('2025-12-01', ['1000', -5_000n], ['6000', 5_000n])
  post('2026-02-28', ['1000', 12_345_678_901_234_567n], ['4000', -12_345_678_901_234_567n])
  post('2026-02-28', ['1000', -1n], ['4000', 1n])
  post('2026-03-01', ['6000', 700n], ['6000', -700n], ['1000', 0n])
}

function figuresOf(tieOut: Awaited<ReturnType<Ledger['run']>>['tieOut']): readonly unknown[] {
  return (tieOut?.lines ?? [])
    .map(({ period, code, name, computed, reported, state }) => [period, code, name, computed, reported, state])
    .toSorted()
}

describe.each([
  ['movements', 'postgres'],
  ['balances', 'postgres'],
  ['movements', 'mysql'],
  ['balances', 'mysql'],
] as const)('a report of %s, in %s', (report, target) => {
  test('[SRC-8] rows that add up are equal to the cent, for each account and month', async () => {
    await using ledger = await connectLedger(report, target)
    postUsual(ledger)
    const { status, tieOut } = await ledger.run()
    expect([status, tieOut?.notice, tieOut?.fault]).toEqual(['completed', null, null])
    expect(tieOut).toMatchObject({ state: 'green', company: 'Ledger Ltd', currency: 'DKK', basis: 'journals' })
    expect(figuresOf(tieOut)).toEqual([
      ['2025-11-01', '1000', 'Bank', '1250.50', '1250.50', 'green'],
      ['2025-11-01', '4000', 'Sales', '-1250.50', '-1250.50', 'green'],
      ['2025-12-01', '1000', 'Bank', '-50.00', '-50.00', 'green'],
      ['2025-12-01', '6000', "Owner's rent", '50.00', '50.00', 'green'],
      ['2026-02-01', '1000', 'Bank', '123456789012345.66', '123456789012345.66', 'green'],
      ['2026-02-01', '4000', 'Sales', '-123456789012345.66', '-123456789012345.66', 'green'],
    ])
    expect(ledger.logLines.filter((line) => line.includes('views'))).toEqual([])
  })

  test('[SRC-8] an entry that reads of changes miss is found, because its month is read again', async () => {
    await using ledger = await connectLedger(report, target)
    postUsual(ledger)
    await ledger.run()
    ledger.clock.advance(hourMs)
    ledger.post('2026-02-03', ['6000', 9_990n], ['1000', -9_990n]).isHidden = 'from changes'
    const { tieOut } = await ledger.run()
    expect(tieOut).toMatchObject({ state: 'green', mended: ['2026-02-01'] })
    const found = tieOut?.lines.filter(({ documents }) => documents.length > 0)
    expect(found?.map(({ code, documents }) => [code, documents])).toEqual([
      ['1000', [expect.objectContaining({ id: '6', amount: '-99.90', wasQuiet: true })]],
      ['6000', [expect.objectContaining({ kind: 'Entry', number: 'J-6', date: '2026-02-03', amount: '99.90' })]],
    ])
  })

  test('[SRC-8] an entry that is missing or has another amount makes its accounts red, with the documents behind', async () => {
    await using ledger = await connectLedger(report, target)
    postUsual(ledger)
    ledger.post('2026-01-15', ['6000', 4_200n], ['1000', -4_200n]).isHidden = 'always'
    ledger.post('2026-01-20', ['6000', 100n], ['1000', -100n])
    const { tieOut } = await ledger.run()
    expect(tieOut?.state).toBe('red')
    expect(figuresOf(tieOut).filter((line) => String(line).endsWith('red'))).toEqual([
      ['2026-01-01', '1000', 'Bank', '-1.00', '-43.00', 'red'],
      ['2026-01-01', '6000', "Owner's rent", '1.00', '43.00', 'red'],
    ])
    expect(tieOut?.lines.find(({ state, code }) => state === 'red' && code === '6000')?.documents).toEqual([
      {
        kind: 'Entry',
        id: '7',
        number: 'J-7',
        date: '2026-01-20',
        contact: null,
        amount: '1.00',
        wasQuiet: false,
        address: 'https://ledger.example/journals/7',
      },
    ])
  })
})

describe('months of a report', () => {
  test('[SRC-8] a figure that the report no longer has is removed, and months that are long past are read once a day', async () => {
    await using ledger = await connectLedger('movements')
    postUsual(ledger)
    await ledger.run()
    const asked = (): readonly string[] =>
      ledger.api.calls.flatMap((call) => (call.startsWith('/movements') ? [call.slice(-'2026-03-31'.length)] : []))
    expect(asked()).toEqual(['2025-11-30', '2025-12-31', '2026-01-31', '2026-02-28', '2026-03-31'])
    ledger.clock.advance(hourMs)
    ledger.api.calls.length = 0
    const [, december] = ledger.api.journals
    if (december !== undefined) Object.assign(december, { lines: [], changedAt: ledger.clock.now() })
    expect((await ledger.run()).tieOut).toMatchObject({ state: 'green', mended: [] })
    expect(asked()).toEqual(['2026-02-28', '2026-03-31', '2025-12-31'])
    expect(await ledger.query(`select month::text, account from figure_line where month = '2025-12-01'`)).toEqual([
      { month: '2025-12-01', account: 'total' },
    ])
    ledger.clock.advance(dayMs)
    ledger.api.calls.length = 0
    await ledger.run()
    expect(asked()).toHaveLength(5)
  })

  test('[SRC-8] a read that is killed between two months continues with the next one', async () => {
    await using ledger = await connectLedger('movements')
    postUsual(ledger)
    await using source = await ledger.open()
    const stream = (await source.streams()).find(({ name }) => name === 'figure')
    if (stream === undefined) throw new Error('There is a report.')
    const request = { encoding: 'text', log: () => {} } as const
    const reached: Checkpoint[] = []
    for await (const { checkpoint } of source.read(stream, { ...request, since: null })) {
      if (checkpoint !== undefined) reached.push(checkpoint)
      if (reached.length === 2) break
    }
    ledger.api.calls.length = 0
    for await (const { checkpoint } of source.read(stream, { ...request, since: reached.at(-1) ?? null }))
      if (checkpoint !== undefined) reached.push(checkpoint)
    expect(ledger.api.calls.map((call) => call.slice(-'2026-03-31'.length))).toEqual([
      '2026-01-31',
      '2026-02-28',
      '2026-03-31',
    ])
    expect(reached.at(-1)).toEqual({ readAt: ledger.clock.now(), first: '2025-11-01' })
  })

  test('[SRC-8] the views for reports have the entries and their balances', async () => {
    await using ledger = await connectLedger('balances')
    postUsual(ledger)
    await ledger.run()
    expect(
      await ledger.query(
        `select month::text, account_id, account_name, amount::text from trial_balance where account_id = '6000' order by 1`,
      ),
    ).toEqual([
      { month: '2025-12-01', account_id: '6000', account_name: "Owner's rent", amount: '50.00' },
      { month: '2026-03-01', account_id: '6000', account_name: "Owner's rent", amount: '0.00' },
    ])
    expect(await ledger.query('select count(*)::int as rows from general_ledger')).toEqual([{ rows: 11 }])
  })
})

describe('a description with a tie-out', () => {
  const good = ledgerDescription('movements')

  test('[SRC-1] has no problem', () => {
    expect(parseDescription(good).problems).toEqual([])
  })

  test.each([
    ['stream: journal\n', 'stream: journals\n', 'tieOut.entries.0.stream: there is no stream journals'],
    ['table: journal_line', 'table: line', 'tieOut.entries.0.table: journal has no child table line'],
    ['date: date\n', 'date: number\n', 'tieOut.entries.0.date: the column number must be a date or a moment'],
    ['date: date\n', 'date: day\n', 'tieOut.entries.0.date: there is no column day in journal_line'],
    ['amount: amount\n', 'amount: account\n', 'tieOut.entries.0.amount: the column account must be an exact number'],
    ['amount: decimal', 'amount: double', 'tieOut.entries.0.amount: the column amount must be an exact number'],
    ['amount: amount\n', 'contact: id\n', 'tieOut.entries.0.contact: is not known here'],
    ['      amount: amount\n', '', 'tieOut.entries.0: needs amount, or debit and credit instead of it'],
    ['code: number', 'code: no', 'tieOut.accounts: there is no column no in account'],
    ['name: name, currency: currency', 'name: name, currency: unit', 'tieOut.company: there is no column unit'],
    ['stream: figure, account', 'stream: journal, account', 'tieOut.report: needs month, or a stream with changes'],
    ['debit: debit,', 'debit: debit, month: kind,', 'tieOut.report.month: is not needed for a report by months'],
    ['equals: [posting]', `equals: ["a'b"]`, 'tieOut.report.only.equals.0: has only letters'],
    [
      "'https://ledger.example/journals/{id}'",
      "'http://ledger.example/{id}'",
      'tieOut.addresses.*: must be an address',
    ],
    ['  journal:\n', '  general_ledger:\n', 'streams.general_ledger: is the name of a view that the tie-out makes'],
    ['debit: decimal, credit', 'month: date, debit: decimal, credit', 'streams.figure.columns.month: is a column that'],
    [
      '    key: [account]\n',
      '    key: [account]\n    deletes: { kind: keys }\n',
      'streams.figure.deletes: is not for a',
    ],
    [
      '  figure:\n',
      '  figure_line:\n    path: x\n    records: /x\n    key: []\n    columns: { x: text }\n  figure:\n',
      'figure_line',
    ],
  ] as const)('[SRC-1] ‘%s’ replaced by ‘%s’ is refused with line and reason', (text, replacement, message) => {
    expect(good.split(text)).toHaveLength(2)
    const { problems } = parseDescription(good.replace(text, () => replacement))
    const found = problems.map(({ line, column, message: words }) => `${line}:${column} ${words}`).join('\n')
    expect(found).toContain(message)
    expect(found).toMatch(/^\d+:\d+ /u)
  })
})

test.each([
  [
    '  periods: { stream: financial_period, year: year, number: period, start: start_date }\n',
    '',
    'tieOut.entries.0: has a period, but the tie-out has no periods',
  ],
  ['    period: { year: year, number: period }\n', '', 'tieOut.report: needs period, because the tie-out has periods'],
  [
    'number: financial_period',
    'number: journal_code',
    'tieOut.entries.0.period.number: the column journal_code must be a whole number',
  ],
  ['start: start_date', 'start: period', 'tieOut.periods.start: the column period must be a date or a moment'],
] as const)('[SRC-1] in a tie-out by periods, ‘%s’ replaced by ‘%s’ is refused', (text, replacement, message) => {
  const good = readFileSync(join(import.meta.dirname, '../../catalogue/exact-online.yaml'), 'utf8')
  expect(good.split(text)).toHaveLength(2)
  const { problems } = parseDescription(good.replace(text, replacement))
  expect(problems.map(({ message: words }) => words).join('\n')).toContain(message)
})
