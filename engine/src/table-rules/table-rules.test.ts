/** Filters and masks between databases: what arrives, what leaves again, and what verification says about it. */
import { createHmac } from 'node:crypto'
import { expect, test } from 'vitest'
import type { EndKind } from '@tributary/testing/engine/databases/database-ends.ts'
import { type DatabasePair, makeDatabasePair, testSecret } from '@tributary/testing/engine/databases/database-pair.ts'
import { makePostgresPair } from '@tributary/testing/engine/databases/postgres-pair.ts'
import { fakeSource, fakeStreamOf } from '@tributary/testing/engine/sync/fake-source.ts'
import { batch, column, table } from '@tributary/testing/engine/sync/fixtures.ts'
import type { RowBatch } from '../ports/model.ts'
import type { RowCondition, TableRules } from '../ports/table-rules.ts'
import { applyTableRules } from './ruled-source.ts'

const pairs: readonly (readonly [EndKind, EndKind])[] = [
  ['postgres', 'postgres'],
  ['mysql', 'postgres'],
  ['postgres', 'mysql'],
  ['mysql', 'mysql'],
]

const stamp = {
  postgres: '',
  mysql: ', changed timestamp(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)',
} as const

const streamOf = { postgres: 'public.sale', mysql: 'sale' } as const
const copyOf = (pair: DatabasePair): string => (pair.target.kind === 'postgres' ? '"Shop".sale' : 'sale')

async function sales(from: EndKind, to: EndKind, rules: Partial<TableRules>): Promise<DatabasePair> {
  const pair = await makeDatabasePair(from, to, [
    `CREATE TABLE sale (id int NOT NULL PRIMARY KEY, state varchar(20), email varchar(40), total decimal(12,2)${stamp[from]})`,
    `INSERT INTO sale (id, state, email, total) VALUES (1, 'open', 'ada@example.test', 10.50), (2, 'void', 'bob@example.test', 20),
      (3, 'open', NULL, 30), (4, NULL, 'ada@example.test', 10.5)`,
    ...(from === 'mysql' ? [`UPDATE sale SET changed = '2024-01-01'`] : []),
  ])
  setRules(pair, rules)
  return pair
}

function setRules(pair: DatabasePair, { conditions = [], masks = [] }: Partial<TableRules>): void {
  pair.rules.set(streamOf[pair.source.kind], { conditions, masks })
}

const isOpen: RowCondition = { column: 'state', operator: 'is', values: ['open'] }

async function ids(pair: DatabasePair): Promise<readonly string[]> {
  const { columns, rows } = await pair.target.read('sale')
  return rows.map((row) => row[columns.indexOf('id')] ?? '').toSorted()
}

async function valuesOf(pair: DatabasePair, column: string): Promise<readonly (string | null)[]> {
  const { columns, rows } = await pair.target.read('sale')
  return rows
    .toSorted((one, other) => Number(one[columns.indexOf('id')]) - Number(other[columns.indexOf('id')]))
    .map((row) => row[columns.indexOf(column)] ?? null)
}

async function run(pair: DatabasePair) {
  const outcome = await pair.run()
  expect(outcome.fault).toBeNull()
  return outcome.streams[0]?.progress
}

test.each(pairs)(
  '[SRC-11] %s to %s: a row that stops matching leaves the target, one that begins to match arrives',
  async (from, to) => {
    await using pair = await sales(from, to, { conditions: [isOpen] })
    await run(pair)
    expect(await ids(pair)).toEqual(['1', '3'])
    await pair.source.run(`UPDATE sale SET state = 'void' WHERE id = 1`)
    await pair.source.run(`UPDATE sale SET state = 'open' WHERE id = 4`)
    await pair.source.run(`INSERT INTO sale (id, state) VALUES (5, 'open'), (6, 'void')`)
    await pair.source.settle()
    await run(pair)
    expect(await ids(pair)).toEqual(['3', '4', '5'])
    await pair.source.run('DELETE FROM sale WHERE id = 3')
    await run(pair)
    expect(await ids(pair)).toEqual(['4', '5'])
  },
)

test.each(pairs)(
  '[SRC-11] %s to %s: a changed filter compares the whole table, and a removed one brings every row back',
  async (from, to) => {
    await using pair = await sales(from, to, { conditions: [isOpen] })
    await run(pair)
    setRules(pair, { conditions: [{ column: 'total', operator: 'isAtLeast', values: ['20'] }] })
    expect(await pair.verify()).toMatchObject([{ outcome: 'pending' }])
    await run(pair)
    expect(await ids(pair)).toEqual(['2', '3'])
    expect(pair.logLines.join('\n')).toMatch(/its filter or its masks have changed/u)
    pair.rules.clear()
    await run(pair)
    expect(await ids(pair)).toEqual(['1', '2', '3', '4'])
  },
)

test.each(pairs)(
  '[SRC-11] %s to %s: a filtered table is verified with its filter, and the result says so',
  async (from, to) => {
    await using pair = await sales(from, to, { conditions: [isOpen] })
    await run(pair)
    await pair.source.settle()
    const [same] = await pair.verify()
    expect(same).toMatchObject({ outcome: 'identical', rows: 2, differenceCount: 0 })
    expect(same?.notice).toMatch(/^Filtered: only rows where state is ‘open’\./u)
    await pair.target.run(`UPDATE ${copyOf(pair)} SET total = 31 WHERE id = 3`)
    await pair.target.run(`INSERT INTO ${copyOf(pair)} (id, state) VALUES (2, 'void')`)
    const [found] = await pair.verify()
    expect(found?.differences.map(({ key, kind }) => `${key['id']} ${kind}`).toSorted()).toEqual([
      '2 additional',
      '3 different',
    ])
    await pair.verify({ repair: true })
    expect(await pair.verify()).toMatchObject([{ outcome: 'identical', rows: 2 }])
  },
)

test.each(pairs)(
  '[SRC-11] %s to %s: a row that the filter has left since the last run is not reported as a difference',
  async (from, to) => {
    await using pair = await sales(from, to, { conditions: [isOpen] })
    await run(pair)
    await pair.source.settle()
    await pair.source.run(`UPDATE sale SET state = 'void' WHERE id = 3`)
    await pair.source.settle()
    expect(await pair.verify()).toMatchObject([{ outcome: 'identical', newerRows: 1, differenceCount: 0 }])
  },
)

const hashOf = (text: string): string => createHmac('sha256', testSecret).update(text).digest('hex')

test.each(pairs)(
  '[SRC-11] %s to %s: masked values arrive masked, equal values stay equal, and they are verified masked',
  async (from, to) => {
    await using pair = await sales(from, to, {
      masks: [
        { table: 'sale', column: 'email', method: { kind: 'hash' } },
        { table: 'sale', column: 'state', method: { kind: 'keepEnd', characters: 2 } },
        { table: 'sale', column: 'total', method: { kind: 'hash' } },
      ],
    })
    await run(pair)
    const ada = hashOf('ada@example.test')
    expect(await valuesOf(pair, 'email')).toEqual([ada, hashOf('bob@example.test'), null, ada])
    expect(await valuesOf(pair, 'state')).toEqual(['**en', '**id', '**en', null])
    expect(await valuesOf(pair, 'total')).toEqual([hashOf('10.5'), hashOf('20'), hashOf('30'), hashOf('10.5')])
    await pair.source.settle()
    const [same] = await pair.verify()
    expect(same).toMatchObject({ outcome: 'identical', rows: 4 })
    expect(same?.notice).toMatch(/masked columns/u)
    await pair.target.run(`UPDATE ${copyOf(pair)} SET email = 'spoilt' WHERE id = 2`)
    const [found] = await pair.verify()
    expect(found?.differences).toMatchObject([
      { key: { id: '2' }, columns: [{ name: 'email', source: hashOf('bob@example.test'), target: 'spoilt' }] },
    ])
    expect(JSON.stringify(found) + pair.logLines.join()).not.toContain('@example.test')
  },
)

test('[SRC-11] a changed mask reloads the table, and a filter decides by the values of the source', async () => {
  await using pair = await sales('postgres', 'postgres', {})
  await run(pair)
  setRules(pair, { conditions: [isOpen], masks: [{ table: 'sale', column: 'state', method: { kind: 'clear' } }] })
  await run(pair)
  expect(await ids(pair)).toEqual(['1', '3'])
  expect(await valuesOf(pair, 'state')).toEqual([null, null])
})

test('[SRC-11] history keeps only what a changed filter has changed', async () => {
  await using pair = await sales('postgres', 'postgres', { conditions: [isOpen] })
  const keepsHistory = () => true
  await pair.run({ keepsHistory })
  setRules(pair, { conditions: [{ column: 'id', operator: 'isAtMost', values: ['2'] }] })
  expect((await pair.run({ keepsHistory })).fault).toBeNull()
  const { columns, rows } = await pair.target.read('sale__history')
  const versions = rows.map(
    (row) => `${row[columns.indexOf('id')]} ${row[columns.indexOf('valid_to')] === null ? 'now' : 'until'}`,
  )
  expect(versions.toSorted()).toEqual(['1 now', '2 now', '3 until'])
})

const refusals: readonly (readonly [string, Partial<TableRules>, RegExp])[] = [
  [
    'an unknown column',
    { conditions: [{ ...isOpen, column: 'gone' }] },
    /uses the column gone, which the source does not have/u,
  ],
  [
    'a value of another type',
    { conditions: [{ column: 'total', operator: 'is', values: ['ten'] }] },
    /‘ten’ is not a number/u,
  ],
  [
    'an operator of another type',
    { conditions: [{ column: 'total', operator: 'contains', values: ['1'] }] },
    /total does not allow/u,
  ],
  [
    'a masked key',
    { masks: [{ table: 'sale', column: 'id', method: { kind: 'hash' } }] },
    /identifies its rows, so it cannot be masked/u,
  ],
  [
    'a masked cursor',
    { masks: [{ table: 'sale', column: 'changed', method: { kind: 'hash' } }] },
    /shows when a row was changed/u,
  ],
  [
    'a column that is gone',
    { masks: [{ table: 'sale', column: 'gone', method: { kind: 'hash' } }] },
    /the source does not have it/u,
  ],
  [
    'the end of a number',
    { masks: [{ table: 'sale', column: 'total', method: { kind: 'keepEnd', characters: 2 } }] },
    /is not a text/u,
  ],
]

test.each(refusals)(
  '[SRC-11] %s is refused with words, and nothing of the table is moved',
  async (_, rules, notice) => {
    await using pair = await sales('mysql', 'postgres', rules)
    const { status, streams } = await pair.run()
    expect(status).toBe('failed')
    expect(streams[0]?.fault).toMatchObject({
      kind: 'settings',
      code: 'engine.table_rules',
      notice: expect.stringMatching(notice),
    })
    expect((await pair.target.read('sale')).rows).toEqual([])
  },
)

test('[SRC-11] rules of a table that the source does not offer are a line in the log', async () => {
  await using pair = await sales('postgres', 'postgres', {})
  pair.rules.set('public.renamed', { conditions: [isOpen], masks: [] })
  await run(pair)
  expect(pair.logLines).toContain(
    'The filter or the masks of public.renamed apply to no table, because the source does not offer it now.',
  )
})

test('[SRC-11] a document that an API sends twice within a run counts as it was sent last, in a first load and in a read of changes', async () => {
  await using pair = await makePostgresPair()
  const main = table('sale', [column('id', { kind: 'text' }, false), column('state', { kind: 'text' })])
  const rules = new Map([['sale', { conditions: [isOpen], masks: [] }]])
  const sourceOf = (...batches: readonly RowBatch[]) =>
    applyTableRules(fakeSource([fakeStreamOf(main, batches, { hasDistinctKeys: false })]), {
      rules,
      secret: testSecret,
      log: () => {},
    })
  const first = sourceOf(
    batch(main, [
      ['a', 'open'],
      ['b', 'open'],
    ]),
    batch(main, [
      ['a', 'void'],
      ['c', 'void'],
    ]),
    batch(
      main,
      [
        ['c', 'open'],
        ['b', 'void'],
      ],
      { at: 1 },
    ),
  )
  expect((await pair.run({ source: first })).fault).toBeNull()
  expect(await pair.rows('sale')).toEqual(['(c,open)'])
  const next = sourceOf(
    batch(main, [['d', 'open']], { at: 2 }),
    batch(main, [
      ['d', 'void'],
      ['c', 'void'],
    ]),
    batch(main, [['e', 'open']], { at: 3 }),
  )
  expect((await pair.run({ source: next })).fault).toBeNull()
  expect(await pair.rows('sale')).toEqual(['(e,open)'])
})
