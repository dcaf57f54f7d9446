/** Values and names are stored unchanged. */
import { expect, test } from 'vitest'
import type { LogicalType } from '@tributary/engine/ports/model'
import { batch, column, stream, table, type RowFields } from '../../engine/sync/fixtures.ts'
import { load, newName, writing, type TargetBench, type LacksFeature } from './target-bench.ts'

const replace = { kind: 'replace', resume: false } as const

const kinds: readonly (readonly [name: string, type: LogicalType, values: RowFields])[] = [
  ['small', { kind: 'integer', bytes: 2 }, ['-32768', '32767', '0', null]],
  ['middle', { kind: 'integer', bytes: 4 }, ['-2147483648', '2147483647', '0', null]],
  ['large', { kind: 'integer', bytes: 8 }, ['-9223372036854775808', '9223372036854775807', '0', null]],
  [
    'money',
    { kind: 'decimal', precision: 19, scale: 4 },
    ['-922337203685477.5808', '90071992547409.9300', '0.0001', null],
  ],
  [
    'rate',
    { kind: 'decimal', precision: 38, scale: 10 },
    ['1234567890123456789012345678.0123456789', '-0.0000000001', '1.1299000000', null],
  ],
  ['share', { kind: 'double' }, ['0.1', '-1.7976931348623157e308', '5e-324', null]],
  ['open', { kind: 'boolean' }, ['t', 'f', 't', null]],
  ['day', { kind: 'date' }, ['1899-12-30', '2024-02-29', '9999-12-31', null]],
  [
    'wall',
    { kind: 'localTimestamp', digits: 6 },
    ['1969-07-20 20:17:40.123456', '2024-03-31 02:30:00', '9999-12-31 23:59:59.999999', null],
  ],
  [
    'moment',
    { kind: 'instant', digits: 6 },
    ['1969-07-20 20:17:40.123456+00', '2024-03-31 01:30:00+00', '2038-01-20 00:00:00+00', null],
  ],
  [
    'reference',
    { kind: 'guid' },
    [
      '6b1f0c52-0d5a-4c0b-9a51-3f0c6d2e7a10',
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
      null,
    ],
  ],
  ['raw', { kind: 'bytes' }, ['\\x', '\\x00ff5c0a09', `\\x${'ab'.repeat(70_000)}`, null]],
  [
    'short',
    { kind: 'text', maxLength: 40 },
    ['', ' spaces kept ', '\t tab \n newline \r return \\ backslash \\N', null],
  ],
  ['long', { kind: 'text' }, ['x'.repeat(300_000), '🦀 Ω „quoted“ \'single\' "double"', '', null]],
]

const hours = ['00:00:00', '23:59:59.999999', '13:05:00', null]
const exactHours = [...hours, '13:05:00.000001']

const plainNames = ['camelCase', 'with spaces', 'select']
const oddNames = ['a "quoted" [name] `here`', 'naïve Ω', `long ${'x'.repeat(150)}`]

export function valueCases(bench: TargetBench, lacks: LacksFeature): void {
  kindCases(bench, [...kinds, ['hour', { kind: 'time' }, lacks('bulkTime') ? hours : exactHours]])
  if (!lacks('ticks')) tickCases(bench)
  otherCases(bench)
  nameCases(bench, lacks('anyName') ? plainNames : [...plainNames, ...oddNames])
  if (!lacks('anyName')) twinCases(bench)
}

function kindCases(bench: TargetBench, cases: typeof kinds): void {
  test.each(cases)('every value of %s is read back exactly as it was written', async (name, type, values) => {
    const id = column('id', { kind: 'integer', bytes: 8 }, false)
    const main = table(newName(name), [id, column('value', type)])
    const rows = values.map((value, at) => [String(at + 1), value])
    await writing(bench, (target) => load(target, stream(main), { mode: replace, batches: [batch(main, rows)] }))
    expect(asWritten(type, await bench.rows(main))).toEqual(rows)
    const merged = table(newName(name), main.columns)
    await writing(bench, (target) => load(target, stream(merged), { batches: [batch(merged, rows)] }))
    expect(asWritten(type, await bench.rows(merged))).toEqual(rows)
  })
}

function tickCases(bench: TargetBench): void {
  test.each(['merge', 'replace'] as const)(
    'of a second only the digits that the target lacks are cut off, and nothing is rounded up (%s)',
    async (kind) => {
      const columns = [
        column('id', { kind: 'integer', bytes: 8 }, false),
        column('wall', { kind: 'localTimestamp', digits: 7 }),
        column('moment', { kind: 'instant', digits: 7 }),
      ]
      const main = table(newName('ticks'), columns)
      const rows = [
        ['1', '2024-03-31 02:30:00.1234567', '2024-03-31 01:30:00.1234567+00'],
        ['2', '9999-12-31 23:59:59.9999999', '2024-12-31 23:59:59.9999999+00'],
        ['3', null, null],
      ]
      await writing(bench, async (target) => {
        await load(target, stream(main), { mode: kind === 'merge' ? { kind } : replace, batches: [batch(main, rows)] })
        expect(await target.prepare(stream(main))).toEqual([])
      })
      const cut = (text: string | null): string | null => text?.replace(/(\.\d{6})\d/, '$1') ?? null
      const stored = await bench.rows(main)
      expect(stored.map((fields) => fields.map(cut))).toEqual(rows.map((fields) => fields.map(cut)))
    },
  )
}

function otherCases(bench: TargetBench): void {
  test('JSON keeps its members and its exact numbers', async () => {
    const main = table(newName('json'), [
      column('id', { kind: 'integer', bytes: 4 }, false),
      column('value', { kind: 'json' }),
    ])
    const text = '{"name": "Ωmega \\"quoted\\"", "lines": [1, 2.50, null], "empty": {}}'
    await writing(bench, (target) =>
      load(target, stream(main), {
        batches: [
          batch(main, [
            ['1', text],
            ['2', null],
          ]),
        ],
      }),
    )
    const rows = await bench.rows(main)
    expect(JSON.parse(rows[0]?.[1] ?? 'null')).toEqual(JSON.parse(text))
    expect(rows[1]?.[1]).toBeNull()
  })

  test('[ENG-1] values that only PostgreSQL has (infinity, NaN) are stored exactly, or their row is rejected', async () => {
    const columns = [
      column('id', { kind: 'integer', bytes: 4 }, false),
      column('until', { kind: 'date' }),
      column('share', { kind: 'double' }),
    ]
    const main = table(newName('endless'), columns)
    const rejected = await writing(bench, async (target) => {
      await target.prepare(stream(main))
      await using loaded = await target.load(stream(main), { kind: 'replace', resume: false })
      await loaded.write(batch(main, [['1', 'infinity', 'NaN']]))
      await loaded.finish(null)
      return loaded.rejected.map(({ row }) => row['id'])
    })
    expect([await bench.rows(main), rejected]).toBeOneOf([
      [[['1', 'infinity', 'NaN']], []],
      [[], ['1']],
    ])
  })
}

function nameCases(bench: TargetBench, names: readonly string[]): void {
  test.each(names)('a table and a column may be named %s', async (name) => {
    const main = table(newName(name), [
      column('id', { kind: 'integer', bytes: 4 }, false),
      column(name, { kind: 'text', maxLength: 20 }),
    ])
    await writing(bench, (target) => load(target, stream(main), { batches: [batch(main, [['1', 'one']])] }))
    expect(await bench.rows(main)).toEqual([['1', 'one']])
  })
}

function twinCases(bench: TargetBench): void {
  test('names that are equal after truncation stay distinct', async () => {
    const long =
      'an uncommonly long column name that extends well past the length that any database allows its identifiers to have '.repeat(
        2,
      )
    const names = [`${long} a`, `${long} b`]
    const tables = names.map((name) =>
      table(`${newName('twin')}${name}`, [
        column('id', { kind: 'integer', bytes: 4 }, false),
        ...names.map((each) => column(each, { kind: 'text', maxLength: 9 })),
      ]),
    )
    await writing(bench, async (target) => {
      for (const main of tables) await load(target, stream(main), { batches: [batch(main, [['1', 'left', 'right']])] })
    })
    for (const main of tables) expect(await bench.rows(main)).toEqual([['1', 'left', 'right']])
  })
}

/** Databases write the same double in different ways. */
function asWritten(type: LogicalType, rows: readonly RowFields[]): readonly RowFields[] {
  if (type.kind !== 'double') return rows
  return rows.map(([id = null, value = null]) => [id, value === null ? null : String(Number(value)).replace('e+', 'e')])
}
