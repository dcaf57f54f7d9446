/** The meaning of expressions, on a real PostgreSQL. */
import { openQueryDatabase, type QueryDatabase } from '@tributary/testing/server/access/query-database.ts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Expression, ExpressionError, functionNames, parseLiteral } from './expression.ts'
import { countRows, readRows } from './read-rows.ts'
import { withLiterals } from './sql-text.ts'
import type { TableModel } from './table-model.ts'
import { readableSql } from './table-query.ts'

let there: QueryDatabase
let invoice: TableModel
beforeAll(async () => {
  there = await openQueryDatabase(`
    CREATE TABLE invoice (
      id int PRIMARY KEY, number varchar(20), total numeric(12,2), rate double precision, paid boolean, issued date,
      at timestamp, seen timestamptz, daily time, ref uuid, raw bytea, doc jsonb, tags text[], big bigint, "odd ""name" text
    );
    COMMENT ON TABLE invoice IS 'Sales invoices';
    COMMENT ON COLUMN invoice.total IS 'With tax';
    CREATE TABLE line (id int PRIMARY KEY, invoice_id int REFERENCES invoice, note text);
    CREATE TABLE tributary_state (id int);
    INSERT INTO invoice VALUES
      (1, 'INV-1', 100.10, 1.5, true, '2026-01-31', '2026-01-31 23:30:00', '2026-02-01 00:30:00+02', '13:05:10.25',
       '6b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10', '\\xfffe', '{"a": 1}', '{x,y}', 9007199254740993, 'It''s'),
      (2, 'inv-2', -3.00, 'NaN', false, '2026-03-01', '2026-03-01 08:00:00', '2026-03-01 08:00:00+00', '00:00', NULL, NULL, NULL, NULL, NULL, '100 %'),
      (3, NULL, NULL, 'Infinity', NULL, 'infinity', '-infinity', 'infinity', NULL, NULL, NULL, NULL, NULL, -1, '\\');`)
  invoice = await there.table('invoice')
})
afterAll(() => there[Symbol.asyncDispose]())

const column = (name: string): Expression => ({ type: 'column', name })
const nothing: Expression = { type: 'null' }
function literal(kind: Parameters<typeof parseLiteral>[0], text: string): Expression {
  const parsed = parseLiteral(kind, text)
  if (parsed === null) throw new Error(`${text} is not ${kind}`)
  return parsed
}
const whole = (value: number) => literal('integer', String(value))
const text = (value: string) => literal('text', value)
function compare(
  left: Expression,
  operator: Extract<Expression, { type: 'compare' }>['operator'],
  right: Expression,
): Expression {
  return { type: 'compare', operator, left, right }
}
const not = (operand: Expression): Expression => ({ type: 'not', operand })
function call(name: Extract<Expression, { type: 'call' }>['name'], ...operands: Expression[]): Expression {
  return { type: 'call', name, operands }
}

/** The ids that a filter finds, by each of the two ways to run a statement. */
async function idsOf(filter: Expression): Promise<number[]> {
  const query = { table: invoice, filter, select: ['id'], limit: 10 }
  const { json } = await readRows(there.client, query, { exactNumbers: 'number' })
  const ids = json.map((row) => (JSON.parse(row) as { id: number }).id)
  const { rows } = await there.client.query<{ id: number }>(withLiterals(readableSql(query)))
  expect(rows.map(({ id }) => id)).toEqual(ids)
  expect(await countRows(there.client, query)).toBe(BigInt(ids.length))
  return ids
}

test('[SEE-8] the model of a table has its key, types, comments and relations, and tables of the product are left out', async () => {
  expect(invoice).toMatchObject({ schema: 'public', kind: 'table', key: ['id'], description: 'Sales invoices' })
  expect(invoice.columns.find(({ name }) => name === 'total')).toEqual({
    name: 'total',
    kind: 'decimal',
    sqlType: 'numeric(12,2)',
    nullable: true,
    description: 'With tax',
  })
  expect((await there.table('line')).relations).toEqual([
    { columns: ['invoice_id'], schema: 'public', table: 'invoice', referencedColumns: ['id'] },
  ])
  await expect(there.table('tributary_state')).rejects.toThrow('no table')
})

test.each<[string, Expression, number[]]>([
  ['an equal text', compare(column('number'), 'eq', text('INV-1')), [1]],
  ['a quote in a text', compare(column('odd "name'), 'eq', text("It's")), [1]],
  ['a backslash in a text', compare(column('odd "name'), 'eq', text('\\')), [3]],
  ['null equals null', compare(column('number'), 'eq', nothing), [3]],
  ['what differs from a value includes null', compare(column('number'), 'ne', text('INV-1')), [2, 3]],
  ['a negated comparison includes null', not(compare(column('number'), 'eq', text('INV-1'))), [2, 3]],
  ['a negated order includes null', not(compare(column('total'), 'gt', whole(0))), [2, 3]],
  ['an order with null finds nothing', compare(column('total'), 'gt', nothing), []],
  ['two columns', compare(column('id'), 'lt', column('big')), [1]],
  ['an integer that a double would round', compare(column('big'), 'eq', literal('integer', '9007199254740993')), [1]],
  ['an integer of more than 64 bits', compare(column('big'), 'lt', literal('integer', '92233720368547758080')), [1, 3]],
  ['an exact decimal', compare(column('total'), 'eq', literal('decimal', '100.10')), [1]],
  ['a list', { type: 'in', operand: column('id'), values: [whole(1), whole(3), whole(9)] }, [1, 3]],
  [
    'a list of texts with quotes',
    { type: 'in', operand: column('odd "name'), values: [text('\\'), text("It's")] },
    [1, 3],
  ],
  ['a list with null', { type: 'in', operand: column('number'), values: [text('INV-1'), nothing] }, [1, 3]],
  ['not in a list includes null', not({ type: 'in', operand: column('number'), values: [text('INV-1')] }), [2, 3]],
  ['an empty list', { type: 'in', operand: column('id'), values: [] }, []],
  ['a boolean column', column('paid'), [1]],
  ['a negated boolean column', not(column('paid')), [2]],
  ['a date', compare(column('issued'), 'ge', literal('date', '2026-03-01')), [2, 3]],
  ['a date and an instant', compare(column('issued'), 'eq', literal('instant', '2026-03-01T00:00:00Z')), [2]],
  ['an instant in another zone', compare(column('seen'), 'eq', literal('instant', '2026-01-31T22:30:00Z')), [1]],
  [
    'a local time stamp counts as UTC',
    compare(column('at'), 'eq', literal('instant', '2026-02-01T00:30:00+01:00')),
    [1],
  ],
  ['two columns of different clocks', compare(column('at'), 'eq', column('seen')), [2]],
  ['a time', compare(column('daily'), 'gt', literal('time', '13:00')), [1]],
  ['a GUID', compare(column('ref'), 'eq', literal('guid', '6B1F0C52-0D5A-4C0B-9A51-3F0C6D2E7A10')), [1]],
  ['binary data', compare(column('raw'), 'eq', literal('bytes', '\\xFFFE')), [1]],
  ['JSON as text', call('contains', column('doc'), text('"a"')), [1]],
  ['a type that is read as text', compare(column('tags'), 'eq', text('{x,y}')), [1]],
  ['a search in any text, whatever its capitals', { type: 'search', phrase: 'INV-' }, [1, 2]],
  ['a search without wildcards', { type: 'search', phrase: '%' }, [2]],
  [
    'arithmetic',
    compare({ type: 'arithmetic', operator: 'mul', left: column('id'), right: whole(2) }, 'eq', whole(4)),
    [2],
  ],
  [
    'integer division',
    compare({ type: 'arithmetic', operator: 'div', left: whole(7), right: whole(2) }, 'eq', whole(3)),
    [1, 2, 3],
  ],
  [
    'exact division',
    compare(
      { type: 'arithmetic', operator: 'divby', left: whole(7), right: whole(2) },
      'eq',
      literal('decimal', '3.5'),
    ),
    [1, 2, 3],
  ],
  [
    'no overflow',
    compare({ type: 'arithmetic', operator: 'mul', left: column('big'), right: column('big') }, 'gt', whole(9)),
    [1],
  ],
  ['a negative number', compare({ type: 'negate', operand: column('id') }, 'eq', whole(-2)), [2]],
  [
    'a modulus',
    compare({ type: 'arithmetic', operator: 'mod', left: column('id'), right: whole(2) }, 'eq', whole(1)),
    [1, 3],
  ],
])('[SEE-8] a filter finds %s', async (_, filter, expected) => {
  expect(await idsOf(filter)).toEqual(expected)
})

const functionCases: readonly [Extract<Expression, { type: 'call' }>['name'], Expression, number[]][] = [
  ['ceiling', compare(call('ceiling', column('total')), 'eq', whole(101)), [1]],
  ['concat', compare(call('concat', column('number'), text('!')), 'eq', text('INV-1!')), [1]],
  ['contains', call('contains', column('number'), text('V-')), [1]],
  ['date', compare(call('date', column('seen')), 'eq', literal('date', '2026-01-31')), [1]],
  ['day', compare(call('day', column('issued')), 'eq', whole(31)), [1]],
  ['endswith', call('endswith', column('number'), text('-2')), [2]],
  ['floor', compare(call('floor', column('total')), 'eq', whole(100)), [1]],
  ['fractionalseconds', compare(call('fractionalseconds', column('daily')), 'eq', literal('decimal', '0.25')), [1]],
  ['hour', compare(call('hour', column('seen')), 'eq', whole(22)), [1]],
  ['indexof', compare(call('indexof', column('number'), text('V')), 'eq', whole(2)), [1]],
  ['length', compare(call('length', column('number')), 'eq', whole(5)), [1, 2]],
  ['maxdatetime', compare(column('at'), 'lt', call('maxdatetime')), [1, 2, 3]],
  ['mindatetime', compare(column('at'), 'ge', call('mindatetime')), [1, 2]],
  ['minute', compare(call('minute', column('at')), 'eq', whole(30)), [1]],
  ['month', compare(call('month', column('seen')), 'eq', whole(1)), [1]],
  ['now', compare(column('seen'), 'gt', call('now')), [3]],
  ['round', compare(call('round', column('total')), 'eq', whole(100)), [1]],
  ['second', compare(call('second', column('daily')), 'eq', whole(10)), [1]],
  ['startswith', call('startswith', column('number'), text('INV')), [1]],
  ['substring', compare(call('substring', column('number'), whole(1), whole(2)), 'eq', text('NV')), [1]],
  ['time', compare(call('time', column('at')), 'eq', literal('time', '08:00')), [2]],
  ['tolower', compare(call('tolower', column('number')), 'eq', text('inv-1')), [1]],
  ['toupper', compare(call('toupper', column('number')), 'eq', text('INV-2')), [2]],
  ['trim', compare(call('trim', text(' a ')), 'eq', text('a')), [1, 2, 3]],
  ['year', compare(call('year', column('issued')), 'eq', whole(2026)), [1, 2]],
]

test.each(functionCases)('[SEE-8] the function %s has its meaning', async (_, filter, expected) => {
  expect(await idsOf(filter)).toEqual(expected)
})

test('every function is tested', () => {
  expect(functionCases.map(([name]) => name)).toEqual([...functionNames])
})

test('a position or length beyond the text is no error', async () => {
  const part = (start: number, length: number) => call('substring', column('number'), whole(start), whole(length))
  expect(await idsOf(compare(part(-5, 3), 'eq', text('INV')))).toEqual([1])
  expect(await idsOf(compare(part(2, -1), 'eq', text('')))).toEqual([1, 2])
  expect(await idsOf(compare(part(9_999_999_999, 9_999_999_999), 'eq', text('')))).toEqual([1, 2])
})

describe('[SEE-8] an expression that does not fit is refused with a sentence', () => {
  test.each<[string, Expression]>([
    ['There is no column “nowhere” here.', compare(column('nowhere'), 'eq', whole(1))],
    ['text cannot be compared with a whole number.', compare(column('number'), 'eq', whole(1))],
    ['a whole number cannot be compared with text.', { type: 'in', operand: column('id'), values: [text('1')] }],
    ['A condition is needed here, such as a comparison; this is text.', column('number')],
    ['This must be text, and is a whole number.', call('tolower', column('id'))],
    ['substring takes 2 or 3 arguments and got 1.', call('substring', column('number'))],
    ['true and false have no order. Compare them with eq or ne.', compare(column('paid'), 'gt', column('paid'))],
    ['null can only be compared with eq, ne and in.', call('tolower', nothing)],
  ])('%s', async (message, filter) => {
    await expect(idsOf(filter)).rejects.toThrow(new ExpressionError(message))
  })
})

test.each<[Parameters<typeof parseLiteral>[0], string]>([
  ['text', 'a\0b'],
  ['text', '\uD800'],
  ['integer', '1; DROP TABLE invoice'],
  ['integer', ''],
  ['decimal', '1e999'],
  ['date', '2026-02-30'],
  ['date', '0000-01-01'],
  ['date', '2026-13-01'],
  ['time', '24:00'],
  ['instant', '2026-01-31T25:00:00Z'],
  ['instant', '2026-01-31T00:00:00+15:00'],
  ['guid', '6b1f0c52'],
  ['bytes', '\\xf'],
  ['boolean', 'yes'],
])('[SEE-8] %s %j is not a value, so PostgreSQL never sees it', (kind, value) => {
  expect(parseLiteral(kind, value)).toBeNull()
})

test('[SEE-4] the statement that a person copies has its values in it and can be read', () => {
  const query = {
    table: invoice,
    select: ['id', 'odd "name'],
    filter: compare(column('number'), 'eq', text("O'Neill \\")),
    orderBy: [{ expression: column('total'), descending: true }],
    limit: 5,
  }
  expect(withLiterals(readableSql(query))).toBe(
    `SELECT t."id", t."odd ""name"\nFROM "public"."invoice" AS t\n WHERE (t."number" = E'O''Neill \\\\'::text)\n ORDER BY t."total" DESC NULLS LAST, t."id" LIMIT 5`,
  )
})
