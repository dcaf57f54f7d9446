/**
 * Each operator on each type of column keeps the same rows, whatever the source: the rows that arrive are compared with those that the
 * expectation here names. The values are those in which databases differ: collations, padding, empty texts, NULL, time zones, large numbers.
 */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type DatabaseEnd, type EndKind, makeEnd } from '@tributary/testing/engine/databases/database-ends.ts'
import { connectionContext } from '@tributary/testing/engine/sync/source-context.ts'
import { decodeRows } from '../encoding/copy-text.ts'
import type { RowBatch } from '../ports/model.ts'
import type { OpenSource } from '../ports/source.ts'
import { sources } from '../registry.ts'
import { applyTableRules } from './ruled-source.ts'
import { operatorsOf, type RowCondition, type RowOperator } from '../ports/table-rules.ts'

type Row = Readonly<Record<string, string | number | null>>

/** As JavaScript values that compare natively, next to the SQL that writes them. */
const rows: readonly Row[] = [
  {
    id: 1,
    name: 'abc',
    code: 'AB',
    n: 5,
    amount: '1.50',
    day: '2026-01-31',
    at: '2026-01-31 13:05:00',
    flag: 1,
    x: 0.5,
  },
  {
    id: 2,
    name: 'ABC',
    code: 'ab',
    n: -5,
    amount: '-1.5',
    day: '2026-02-01',
    at: '2026-01-31 23:59:59.999999',
    flag: 0,
    x: 1e300,
  },
  { id: 3, name: 'abc ', code: 'é', n: 0, amount: '0', day: '1999-12-31', at: '2026-02-01 00:00:00', flag: 1, x: -1 },
  {
    id: 4,
    name: '',
    code: '',
    n: 9_007_199_254_740,
    amount: '12345678901234567890.12',
    day: '2100-06-01',
    at: '2027-03-28 01:30:00',
    flag: 0,
    x: 0,
  },
  { id: 5, name: null, code: null, n: null, amount: null, day: null, at: null, flag: null, x: null },
  {
    id: 6,
    name: 'äbc',
    code: 'z',
    n: 6,
    amount: '1.5',
    day: '2026-01-30',
    at: '2026-01-30 00:00:00.5',
    flag: 1,
    x: 0.25,
  },
  { id: 7, name: '😀', code: '１', n: 50, amount: '100', day: '2026-12-31', at: '2026-12-31 12:00:00', flag: 0, x: 3 },
  {
    id: 8,
    name: '%_',
    code: `o'b\\`,
    n: 51,
    amount: '99.99',
    day: '2024-02-29',
    at: '2024-02-29 00:00:00',
    flag: 1,
    x: 7,
  },
]

const columns = {
  postgres: `id int PRIMARY KEY, name varchar(20), code varchar(20), n bigint, amount numeric(24,2), day date, at timestamptz(6), flag boolean, x double precision`,
  mysql: `id int PRIMARY KEY, name varchar(20) COLLATE utf8mb4_general_ci, code varchar(20) COLLATE utf8mb4_general_ci, n bigint,
    amount decimal(24,2), day date, at timestamp(6) NULL, flag tinyint(1), x double`,
} as const

function literal(value: string | number | null, column: string, kind: EndKind): string {
  if (value === null) return 'NULL'
  if (column === 'flag') return kind === 'postgres' ? String(value === 1) : String(value)
  if (typeof value === 'number') return String(value)
  const text = value.replaceAll(`'`, `''`)
  return `'${kind === 'mysql' ? text.replaceAll('\\', '\\\\') : text}'`
}

function statements(kind: EndKind): readonly string[] {
  const values = rows.map(
    (row) =>
      `(${Object.entries(row)
        .map(([column, value]) => literal(value, column, kind))
        .join(', ')})`,
  )
  return [`CREATE TABLE item (${columns[kind]})`, `INSERT INTO item VALUES ${values.join(', ')}`]
}

/** The value as it compares in JavaScript. Texts compare by code point, numbers exactly. */
function natively(column: string, value: string | number): bigint | number | readonly number[] {
  if (column === 'amount') return hundredths(String(value))
  if (column === 'n' || column === 'x') return Number(value)
  if (column === 'flag') return value === 1 || value === 'true' ? 1 : 0
  if (column === 'day' || column === 'at') return microseconds(String(value))
  return Array.from(String(value), (character) => character.codePointAt(0) ?? 0)
}

function hundredths(text: string): bigint {
  const [whole = '0', part = ''] = text.replace('-', '').split('.')
  const size = BigInt(whole) * 100n + BigInt(part.padEnd(2, '0'))
  return text.startsWith('-') ? -size : size
}

function microseconds(text: string): bigint {
  const [seconds = '', part = ''] = (
    text.length === 10 ? `${text} 00:00:00` : text.length === 16 ? `${text}:00` : text
  ).split('.')
  return BigInt(Date.parse(`${seconds.replace(' ', 'T')}Z`)) * 1_000n + BigInt(part.padEnd(6, '0'))
}

function compare(left: ReturnType<typeof natively>, right: ReturnType<typeof natively>): number {
  if (typeof left === 'object' && typeof right === 'object') {
    const at = left.findIndex((point, index) => point !== right[index])
    return at === -1 ? left.length - right.length : right[at] === undefined ? 1 : (left[at] ?? 0) - (right[at] ?? 0)
  }
  return left < right ? -1 : left > right ? 1 : 0
}

function expected({ column, operator, values }: RowCondition): readonly number[] {
  const isText = column === 'name' || column === 'code'
  return rows
    .filter((row) => {
      const value = row[column] ?? null
      const isEmpty = value === null || (isText && value === '')
      if (operator === 'isEmpty' || operator === 'isNotEmpty') return isEmpty === (operator === 'isEmpty')
      const places =
        value === null ? [] : values.map((each) => compare(natively(column, value), natively(column, each)))
      const [place = Number.NaN] = places
      const tests: { readonly [name in Exclude<RowOperator, 'isEmpty' | 'isNotEmpty'>]: boolean } = {
        is: place === 0,
        isNot: place !== 0,
        isOneOf: places.includes(0),
        isNotOneOf: !places.includes(0),
        isLess: place < 0,
        isAtMost: place <= 0,
        isGreater: place > 0,
        isAtLeast: place >= 0,
        startsWith: value !== null && String(value).startsWith(values[0] ?? ''),
        contains: value !== null && String(value).includes(values[0] ?? ''),
      }
      return tests[operator]
    })
    .map(({ id }) => Number(id))
}

const operands = {
  name: { kind: 'text', values: ['abc', 'ABC', 'äbc', '😀', '%_', 'abc '] },
  code: { kind: 'text', values: ['ab', 'é', `o'b\\`, '１'] },
  n: { kind: 'integer', values: ['5', '-5', '50', '5.5', '9007199254740'] },
  amount: { kind: 'decimal', values: ['1.5', '-1.50', '12345678901234567890.12', '0.00', '100'] },
  day: { kind: 'date', values: ['2026-01-31', '2100-06-01', '1999-12-31', '2024-02-29'] },
  at: {
    kind: 'instant',
    values: ['2026-01-31', '2026-01-31 13:05', '2026-01-31 23:59:59.999999', '2026-02-01 00:00:00'],
  },
  flag: { kind: 'boolean', values: ['true', 'false'] },
  x: { kind: 'double', values: ['0.5', '0', '-1', '3'] },
} as const

function conditionsOf(column: keyof typeof operands): readonly RowCondition[] {
  const { kind, values } = operands[column]
  return operatorsOf[kind].flatMap((operator): readonly RowCondition[] => {
    if (operator === 'isEmpty' || operator === 'isNotEmpty') return [{ column, operator, values: [] }]
    if (operator === 'isOneOf' || operator === 'isNotOneOf') return [{ column, operator, values: values.slice(0, 3) }]
    return values.map((value) => ({ column, operator, values: [value] }))
  })
}

describe.each(['postgres', 'mysql'] as const)('a table of %s', (kind) => {
  let end: DatabaseEnd
  let source: OpenSource
  beforeAll(async () => {
    end = await makeEnd(kind, 'source')
    for (const statement of statements(kind)) await end.run(statement)
    const type = sources.find((each) => each.type === kind)
    if (type === undefined) throw new Error(`There is no source ${kind}.`)
    source = await type.open(type.parse(end.properties), connectionContext())
  })
  afterAll(async () => {
    await source[Symbol.asyncDispose]()
    await end[Symbol.asyncDispose]()
  })

  /** The ids of a read that leaves out rows early, of one that deletes them, and of the keys. */
  async function arrived(conditions: readonly RowCondition[]) {
    const rules = new Map([[kind === 'postgres' ? 'public.item' : 'item', { conditions, masks: [] }]])
    const ruled = applyTableRules(source, { rules, secret: Buffer.of(), log })
    const [stream] = await ruled.streams()
    if (stream === undefined) throw new Error('There is no stream.')
    expect(stream.fault).toBeUndefined()
    const request = { since: null, encoding: 'text', log } as const
    return {
      early: await idsOf(ruled.read(stream, { ...request, replaces: true })),
      late: await idsOf(ruled.read(stream, request)),
      keys: await idsOf(ruled.keys?.(stream) ?? []),
    }
  }

  test.each(Object.keys(operands) as (keyof typeof operands)[])(
    '[SRC-11] each operator on the column %s keeps the rows that the condition means',
    async (column) => {
      for (const condition of conditionsOf(column)) {
        const ids = expected(condition)
        expect([condition, await arrived([condition])]).toEqual([condition, { early: ids, late: ids, keys: ids }])
      }
    },
  )

  test('[SRC-11] all conditions hold together', async () => {
    const conditions: readonly RowCondition[] = [
      { column: 'flag', operator: 'is', values: ['true'] },
      { column: 'n', operator: 'isAtLeast', values: ['5'] },
      { column: 'name', operator: 'isNot', values: ['abc'] },
    ]
    const all = conditions.map((condition) => new Set(expected(condition)))
    const ids = rows.map(({ id }) => Number(id)).filter((id) => all.every((one) => one.has(id)))
    expect(await arrived(conditions)).toEqual({ early: ids, late: ids, keys: ids })
  })
})

const log = (): void => {}

async function idsOf(batches: AsyncIterable<RowBatch> | Iterable<RowBatch>): Promise<readonly number[]> {
  const ids: number[] = []
  for await (const { bytes, deletes } of batches)
    if (deletes !== true) ids.push(...decodeRows(bytes).map(([id]) => Number(id)))
  return ids.toSorted((one, other) => one - other)
}
