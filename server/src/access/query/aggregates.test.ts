/** Groups and their aggregates, on a real PostgreSQL. */
import { openQueryDatabase, type QueryDatabase } from '@tributary/testing/server/access/query-database.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Expression, ExpressionError } from './expression.ts'
import { readRows } from './read-rows.ts'
import type { TableModel } from './table-model.ts'
import { columnsOf, type QueryStep } from './table-query.ts'

let there: QueryDatabase
let invoice: TableModel
beforeAll(async () => {
  there = await openQueryDatabase(`
    CREATE TABLE invoice (
      id int PRIMARY KEY, number varchar(20), total numeric(12,2), paid boolean, issued date, ref uuid, big bigint
    );
    INSERT INTO invoice VALUES
      (1, 'INV-1', 100.10, true, '2026-01-31', '6b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10', 9007199254740993),
      (2, 'inv-2', -3.00, false, '2026-03-01', NULL, NULL),
      (3, NULL, NULL, NULL, 'infinity', NULL, -1);`)
  invoice = await there.table('invoice')
})
afterAll(() => there[Symbol.asyncDispose]())

const column = (name: string): Expression => ({ type: 'column', name })
const nothing: Expression = { type: 'null' }
const whole = (value: number): Expression => ({ type: 'literal', kind: 'integer', value: String(value) })
function compare(left: Expression, operator: 'gt' | 'ne', right: Expression): Expression {
  return { type: 'compare', operator, left, right }
}

async function rowsOf(steps: readonly QueryStep[]): Promise<unknown[]> {
  const { json } = await readRows(there.client, { table: invoice, steps, limit: 10 }, { exactNumbers: 'text' })
  return json.map((row) => JSON.parse(row) as unknown)
}

test('[SEE-8] groups have their sums, averages, extremes and counts, exact and with null as a group', async () => {
  const aggregates = [
    { name: 'Sum', method: 'sum', expression: column('total') },
    { name: 'Average', method: 'average', expression: column('total') },
    { name: 'Least', method: 'min', expression: column('number') },
    { name: 'Most', method: 'max', expression: column('issued') },
    { name: 'Different', method: 'countdistinct', expression: column('ref') },
    { name: 'Rows', method: 'count' },
  ] as const
  expect(await rowsOf([{ type: 'group', by: ['paid'], aggregates }])).toEqual([
    { paid: null, Sum: null, Average: null, Least: null, Most: '9999-12-31', Different: '0', Rows: '1' },
    {
      paid: false,
      Sum: '-3.00',
      Average: '-3.0000000000000000',
      Least: 'inv-2',
      Most: '2026-03-01',
      Different: '0',
      Rows: '1',
    },
    {
      paid: true,
      Sum: '100.10',
      Average: '100.1000000000000000',
      Least: 'INV-1',
      Most: '2026-01-31',
      Different: '1',
      Rows: '1',
    },
  ])
  const total = { name: 'Sum', method: 'sum', expression: column('big') } as const
  expect(await rowsOf([{ type: 'group', by: [], aggregates: [total] }])).toEqual([{ Sum: '9007199254740992' }])
})

test('[SEE-8] a filter before a group counts for its rows, and one after it for the groups', async () => {
  const rows = { name: 'Rows', method: 'count' } as const
  expect(
    await rowsOf([
      { type: 'filter', condition: compare(column('id'), 'gt', whole(1)) },
      { type: 'group', by: ['paid'], aggregates: [rows] },
      { type: 'filter', condition: compare(column('paid'), 'ne', nothing) },
      { type: 'group', by: [], aggregates: [{ name: 'Groups', method: 'sum', expression: column('Rows') }] },
    ]),
  ).toEqual([{ Groups: '1' }])
  const steps: QueryStep[] = [{ type: 'group', by: ['paid'], aggregates: [rows] }]
  expect(columnsOf({ table: invoice, steps }).map(({ name, kind }) => [name, kind])).toEqual([
    ['paid', 'boolean'],
    ['Rows', 'integer'],
  ])
})

test.each<[string, QueryStep]>([
  ['There is no column “nowhere” here.', { type: 'group', by: ['nowhere'], aggregates: [] }],
  [
    'sum needs numbers. Use min, max or countdistinct for other columns.',
    { type: 'group', by: [], aggregates: [{ name: 'A', method: 'sum', expression: column('number') }] },
  ],
  [
    'max needs numbers, text, dates or times. Use countdistinct for this column.',
    { type: 'group', by: [], aggregates: [{ name: 'A', method: 'max', expression: column('ref') }] },
  ],
  [
    '“paid” is there twice. Give each result another name.',
    { type: 'group', by: ['paid'], aggregates: [{ name: 'paid', method: 'count' }] },
  ],
])('[SEE-8] a group that does not fit is refused: %s', async (message, step) => {
  await expect(rowsOf([step])).rejects.toThrow(new ExpressionError(message))
})
