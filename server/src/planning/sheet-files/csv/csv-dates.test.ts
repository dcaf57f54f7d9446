/** The order of day and month is decided for a whole column, or chosen by the user if it is ambiguous. */
import { expect, test } from 'vitest'
import { readInMainThread } from '@tributary/testing/server/excel/read-bytes.ts'

const csv = (...lines: readonly string[]) => Buffer.from(lines.join('\n'))
const d = (day: string) => ({ d: day })

test('[ENG-5] one unambiguous date decides its column, and no other column', async () => {
  const bytes = csv(
    'Ours;Theirs;Third',
    '03/04/2026;03/04/2026;1.5',
    '31/01/2026;1/31/2026;03/04/2026',
    '5/6/2026;5/6/2026;2.5',
    ';;3.5',
  )
  const { rows, sheets } = await readInMainThread(bytes)
  expect(rows.slice(1)).toEqual([
    [d('2026-04-03'), d('2026-03-04'), { n: '1.5' }],
    [d('2026-01-31'), d('2026-01-31'), '03/04/2026'],
    [d('2026-06-05'), d('2026-05-06'), { n: '2.5' }],
    [null, null, { n: '3.5' }],
  ])
  expect(sheets).toMatchObject([{ dateQuestion: null }])
})

test('[ENG-5] ambiguous dates stay text until the user chooses an order, which applies to them only', async () => {
  const bytes = csv('Day;Known', '03/04/2026;13/04/2026', '05/06/2026 8:30;01/02/2026')
  const asked = await readInMainThread(bytes)
  expect(asked.sheets).toMatchObject([{ dateQuestion: '03/04/2026' }])
  expect(asked.rows.slice(1)).toEqual([
    ['03/04/2026', d('2026-04-13')],
    ['05/06/2026 8:30', d('2026-02-01')],
  ])
  const first = async (order: 'dayFirst' | 'monthFirst') => {
    const { rows, sheets } = await readInMainThread(bytes, order)
    expect(sheets).toMatchObject([{ dateQuestion: null }])
    return rows.slice(1)
  }
  expect(await first('dayFirst')).toEqual([
    [d('2026-04-03'), d('2026-04-13')],
    [d('2026-06-05T08:30:00'), d('2026-02-01')],
  ])
  expect(await first('monthFirst')).toEqual([
    [d('2026-03-04'), d('2026-04-13')],
    [d('2026-05-06T08:30:00'), d('2026-02-01')],
  ])
})

test('[ENG-5] a column with contradicting dates stays text without a question; an impossible date does not affect the others', async () => {
  const { rows, sheets } = await readInMainThread(
    csv('Both;One', '31/01/2026;31.01.2026', '01/31/2026;31.02.2026', '03/04/2026;1.3.2026'),
  )
  expect(rows.slice(1).map(([cell]) => cell)).toEqual(['31/01/2026', '01/31/2026', '03/04/2026'])
  expect(rows.slice(1).map(([, cell]) => cell)).toEqual([d('2026-01-31'), '31.02.2026', d('2026-03-01')])
  expect(sheets).toMatchObject([{ dateQuestion: null, notice: null }])
})
