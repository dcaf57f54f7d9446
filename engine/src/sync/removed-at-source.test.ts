/**
 * Columns and tables that the source drops or retypes: reported, held for a decision if the policy says so, and reports
 * keep their values.
 */
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openBoth } from '@tributary/testing/engine/databases/both-ends.ts'
import { type DatabaseEnd, type EndKind, makeEnd } from '@tributary/testing/engine/databases/database-ends.ts'
import { realClock } from '@tributary/testing/engine/sync/source-context.ts'
import type { SchemaDecision, SchemaChangeRules, SyncOutcome, SyncRunRequest } from './sync-request.ts'
import { sync } from './run.ts'

const pairs = [
  ['mysql', 'postgres'],
  ['mysql', 'mysql'],
  ['postgres', 'postgres'],
  ['postgres', 'mysql'],
] as const satisfies readonly (readonly [EndKind, EndKind])[]

describe.each(pairs)('from %s to %s', (from, to) => {
  let source: DatabaseEnd
  let target: DatabaseEnd
  let connectorId: string
  let lines: string[]
  let reportedChanges: string[]
  let fence = 0
  const streamOf = (table: string): string => (from === 'postgres' ? `public.${table}` : table)
  const movedBefore = ['sale', 'stock'].map(streamOf)

  beforeEach(async () => {
    connectorId = randomUUID()
    source = await makeEnd(from, 'source')
    target = await makeEnd(to, 'target')
    const stamp = from === 'mysql' ? `updated_at datetime NOT NULL DEFAULT '2001-01-01'` : 'updated_at timestamp'
    await source.run(`CREATE TABLE sale (id int PRIMARY KEY, amount int, note varchar(20), ${stamp})`)
    await source.run(`INSERT INTO sale (id, amount, note) VALUES (1, 10, 'one'), (2, 20, 'two')`)
    await source.run('CREATE TABLE stock (id int PRIMARY KEY)')
    await source.run('INSERT INTO stock VALUES (1)')
  })
  afterEach(async () => {
    await source[Symbol.asyncDispose]()
    await target[Symbol.asyncDispose]()
  })

  async function run(
    policy: SchemaChangeRules['policy'] = 'take',
    decided: readonly SchemaDecision[] = [],
    leftOut: readonly string[] = [],
  ) {
    const { signal } = new AbortController()
    lines = []
    reportedChanges = []
    const address = source.properties['source.connectionString'] as object
    const properties = { ...target.properties, 'source.connectionString': { ...address, leftOut } }
    await using ends = await openBoth({ from, to, properties }, signal)
    const found: SchemaChangeRules['reportChanges'] = (stream, changes, status) =>
      void reportedChanges.push(
        ...changes.map(({ table, column, after }) => `${stream} ${table}.${column} ${after} ${status}`),
      )
    const request: SyncRunRequest = {
      ...ends,
      writer: { connectorId, runId: randomUUID(), fence: ++fence },
      syncMode: 'incremental',
      movedBefore,
      schemaRules: { policy, decisions: decided, reportChanges: found },
      report: () => {},
      log: (line) => void lines.push(line),
      clock: realClock,
      signal,
    }
    return await sync(request)
  }

  async function sales(): Promise<readonly (string | null)[][]> {
    const { columns, rows } = await target.read('sale')
    return rows.map((row) => ['id', 'amount', 'note'].map((name) => row[columns.indexOf(name)] ?? null)).toSorted()
  }

  const gone = (status: string): string => `${streamOf('sale')} sale.note gone ${status}`

  test('[ENG-1] a dropped column is reported once, and its last values stay', async () => {
    await run()
    await source.run('ALTER TABLE sale DROP COLUMN note')
    await source.run(`INSERT INTO sale (id, amount) VALUES (3, 30)`)
    expect(await run()).toMatchObject({ status: 'completed' })
    expect(reportedChanges).toEqual([gone('applied')])
    expect(lines).toContain('The column note of the table sale is gone from the source. Its last values stay.')
    expect(await sales()).toEqual([
      ['1', '10', 'one'],
      ['2', '20', 'two'],
      ['3', '30', null],
    ])
    await run()
    expect(reportedChanges).toEqual([])
  })

  test('[ENG-1] a dropped column waits for a decision where that is the policy: the table stays as it was until it is accepted', async () => {
    await run('ask')
    await source.run('ALTER TABLE sale DROP COLUMN note')
    await source.run(`INSERT INTO sale (id, amount) VALUES (3, 30)`)
    for (const _ of [1, 2]) {
      expect(await run('ask')).toMatchObject({ status: 'completed' })
      expect(reportedChanges).toEqual([gone('pending')])
      expect(await sales()).toHaveLength(2)
    }
    const decision = { table: 'sale', column: 'note', after: 'gone' } as const
    await run('ask', [{ ...decision, decision: 'rejected' }])
    expect(await sales()).toHaveLength(2)
    expect(await run('ask', [{ ...decision, decision: 'accepted' }])).toMatchObject({ status: 'completed' })
    expect(reportedChanges).toEqual([gone('applied')])
    expect(await sales()).toHaveLength(3)
    await source.run(`ALTER TABLE sale ADD COLUMN note varchar(20) DEFAULT 'new'`)
    await run('ask', [{ ...decision, decision: 'rejected' }])
    expect((await sales()).map(([, , note]) => note)).toEqual(['new', 'new', 'new'])
  })

  test('[ENG-1] an excluded column is not reported as removed', async () => {
    await run()
    expect(await run('take', [], [`${streamOf('sale')}.note`])).toMatchObject({ status: 'completed' })
    expect(reportedChanges).toEqual([])
  })

  test('[ENG-1] a dropped or renamed table is reported, its rows stay, and the others are moved', async () => {
    await run()
    await source.run('ALTER TABLE stock RENAME TO store')
    await source.run(`INSERT INTO sale (id, amount) VALUES (3, 30)`)
    expect(await run()).toMatchObject({ status: 'completed' })
    expect(reportedChanges.toSorted()).toEqual([
      `${streamOf('stock')} stock.null gone applied`,
      `${streamOf('store')} store.null new table applied`,
    ])
    expect(lines).toContain('The source of the table stock is gone: dropped, or renamed. Its rows stay as they are.')
    expect([await target.rows('stock'), await target.rows('store'), (await sales()).length]).toEqual([
      ['["1"]'],
      ['["1"]'],
      3,
    ])
  })

  test('[ENG-1] a removed table needs a decision, and nothing moves under the policy stop', async () => {
    await run('ask')
    await source.run('DROP TABLE stock')
    expect(await run('ask')).toMatchObject({ status: 'completed' })
    expect(reportedChanges).toEqual([`${streamOf('stock')} stock.null gone pending`])
    const stopped: SyncOutcome = await run('stop')
    expect(stopped).toMatchObject({
      status: 'failed',
      fault: { code: 'engine.schema_changed', notice: expect.stringContaining('stock') },
    })
    const decision = { table: 'stock', column: null, after: 'gone', decision: 'accepted' } as const
    expect(await run('stop', [decision])).toMatchObject({ status: 'completed' })
  })

  test('[ENG-1] numbers that become text do so in the target, and every row has its value, old and new', async () => {
    await run()
    await source.run(
      from === 'mysql'
        ? 'ALTER TABLE sale MODIFY amount varchar(20)'
        : 'ALTER TABLE sale ALTER COLUMN amount TYPE varchar(20)',
    )
    await source.run(`INSERT INTO sale (id, amount) VALUES (3, 'thirty')`)
    expect(await run()).toMatchObject({ status: 'completed' })
    expect(reportedChanges).toEqual([expect.stringMatching(/sale\.amount (?:text|longtext) applied$/u)])
    expect((await sales()).map(([, amount]) => amount)).toEqual(['10', '20', 'thirty'])
    await run()
    expect(reportedChanges).toEqual([])
  })

  // MariaDB changes its indexes with the column.
  if (to === 'postgres')
    test('[ENG-1] where a view holds the column to its type, the table stays as it was and its fault says what to drop', async () => {
      await run()
      await target.run('CREATE VIEW "Shop".report AS SELECT amount FROM "Shop".sale')
      await source.run(
        from === 'mysql'
          ? 'ALTER TABLE sale MODIFY amount varchar(20)'
          : 'ALTER TABLE sale ALTER COLUMN amount TYPE varchar(20)',
      )
      expect(await run()).toMatchObject({
        status: 'failed',
        fault: { kind: 'settings', notice: expect.stringMatching(/^.*sale.*Drop the view/u) },
      })
      expect((await sales()).map(([, amount]) => amount)).toEqual(['10', '20'])
    })
})
