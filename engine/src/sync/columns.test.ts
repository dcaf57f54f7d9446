/** Excluding columns and including them again, and re-reading rows from a date, with real databases. */
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openBoth } from '@tributary/testing/engine/databases/both-ends.ts'
import { type DatabaseEnd, type EndKind, makeEnd } from '@tributary/testing/engine/databases/database-ends.ts'
import { realClock } from '@tributary/testing/engine/sync/source-context.ts'
import type { SyncOutcome, SyncRunRequest } from './sync-request.ts'
import { sync } from './run.ts'

const kept = ', kept TIMESTAMP(6) NOT NULL DEFAULT CURRENT_TIMESTAMP(6) ON UPDATE CURRENT_TIMESTAMP(6)'
const changed = { postgres: '', mysql: kept } as const

let source: DatabaseEnd
let target: DatabaseEnd
let connectorId: string
let fence = 0
let lines: string[]
afterEach(() => Promise.all([source[Symbol.asyncDispose](), target[Symbol.asyncDispose]()]))

async function makeEnds(from: EndKind, to: EndKind): Promise<void> {
  ;[source, target] = await Promise.all([makeEnd(from, 'source'), makeEnd(to, 'target')])
  connectorId = randomUUID()
  lines = []
}

async function run(leftOut: readonly string[], request: Partial<SyncRunRequest> = {}): Promise<SyncOutcome> {
  const connection = { ...(source.properties['source.connectionString'] as object), leftOut }
  const properties = { ...source.properties, ...target.properties, 'source.connectionString': connection }
  const { signal } = new AbortController()
  await using ends = await openBoth({ from: source.kind, to: target.kind, properties }, signal)
  const writer = { connectorId, runId: randomUUID(), fence: ++fence }
  const log = (line: string): void => void lines.push(line)
  return await sync({
    ...ends,
    writer,
    syncMode: 'incremental',
    report: () => {},
    log,
    clock: realClock,
    signal,
    ...request,
  })
}

async function rows(columns: string, table = 'person'): Promise<readonly string[]> {
  await target.run(`DROP VIEW IF EXISTS ${view()}`)
  await target.run(`CREATE VIEW ${view()} AS SELECT ${columns} FROM ${qualified(table)}`)
  return (await target.rows('looked')).map((row) => (JSON.parse(row) as (string | null)[]).join(' '))
}
const qualified = (name: string): string => (target.kind === 'postgres' ? `${target.quote('Shop')}.${name}` : name)
const view = (): string => qualified('looked')

const read = ({ streams }: SyncOutcome): readonly number[] => streams.map(({ progress }) => progress.rowsRead)

describe.each([
  ['postgres', 'postgres'],
  ['postgres', 'mysql'],
  ['mysql', 'postgres'],
  ['mysql', 'mysql'],
] as const)('columns left out, from %s to %s', (from, to) => {
  beforeEach(async () => {
    await makeEnds(from, to)
    await source.run(
      `CREATE TABLE person (id integer PRIMARY KEY, name varchar(20), email varchar(40) NOT NULL, age integer${changed[from]})`,
    )
    await source.run(`INSERT INTO person (id, name, email, age) VALUES (1, 'Ann', 'ann@x', 30), (2, 'Bo', 'bo@x', 40)`)
  })

  test('are missing in the target; included again, every existing row gets its value', async () => {
    expect(await run(['person.email', 'person.age'])).toMatchObject({ status: 'completed' })
    await expect(rows('email')).rejects.toThrow(/column/u)
    await source.run(`UPDATE person SET email = 'new@x' WHERE id = 2`)
    expect(await run(['person.age'])).toMatchObject({ status: 'completed' })
    expect(await rows('id, name, email')).toEqual(['1 Ann ann@x', '2 Bo new@x'])
    await expect(rows('age')).rejects.toThrow(/column/u)
  })

  test('that existed before keep their values; included again, changes since are read once', async () => {
    await run([])
    await source.run(`UPDATE person SET email = 'new@x' WHERE id = 2`)
    await source.run(`INSERT INTO person (id, name, email) VALUES (3, 'Cy', 'cy@x')`)
    expect(await run(['person.email'])).toMatchObject({ status: 'completed' })
    expect((await rows(`id, name, COALESCE(email, '')`)).at(0)).toBe('1 Ann ann@x')
    await run(['person.email', 'person.age'])
    expect(await rows('id, name')).toEqual(['1 Ann', '2 Bo', '3 Cy'])
    await settle()
    const back = await run(['person.age'])
    expect(read(back)).toEqual([3])
    expect(await rows('id, name, email')).toEqual(['1 Ann ann@x', '2 Bo new@x', '3 Cy cy@x'])
    // While a transaction of another test is open, changes are read again from where that began.
    await expect.poll(async () => read(await run(['person.age'])), { timeout: 20_000 }).toEqual([0])
    expect(await run([])).toMatchObject({ status: 'completed' })
    expect(await rows('id, age')).toEqual(['1 30', '2 40', '3 '])
  })

  test('are gone from the target after a full refresh', async () => {
    await run([])
    expect(await run(['person.email'], { syncMode: 'full' })).toMatchObject({ status: 'completed' })
    expect((await target.rows('person')).join()).not.toContain('@')
  })

  test('may be unknown, which is logged; a key column may not be excluded, and nothing moves', async () => {
    expect(await run(['person.phone'])).toMatchObject({ status: 'completed' })
    expect(lines.filter((line) => line.includes('person.phone'))).toHaveLength(1)
    expect(await run(['person.id'])).toMatchObject({
      status: 'failed',
      fault: {
        kind: 'settings',
        field: 'source.connectionString.leftOut',
        notice: expect.stringContaining('person.id'),
      },
    })
  })

  test('are never queried from the source', async () => {
    const broken = from === 'postgres' ? '1 / (id - id)' : '(SELECT id FROM person)'
    await source.run(`CREATE VIEW odd AS SELECT id, name, ${broken} AS broken FROM person`)
    expect(await run([], { streams: [streamOf('odd')] })).toMatchObject({ status: 'failed' })
    expect(await run(['odd.broken'], { streams: [streamOf('odd')] })).toMatchObject({ status: 'completed' })
    expect(await rows('id, name', 'odd')).toEqual(['1 Ann', '2 Bo'])
  })

  const streamOf = (table: string): string => (from === 'postgres' ? `public.${table}` : table)
  /** A MariaDB's stamps are read again while they are new. */
  const settle = (): Promise<unknown> =>
    from === 'mysql' ? source.run(`UPDATE person SET kept = '2020-01-01'`) : Promise.resolve()
})

describe('rows of MariaDB changed since a moment', () => {
  const past = (days: number): Date => new Date(Date.now() - days * 86_400_000)
  const stamp = (days: number): string => past(days).toISOString().slice(0, 19).replace('T', ' ')
  beforeEach(() => makeEnds('mysql', 'postgres'))

  async function fill(cursor: string): Promise<void> {
    await source.run(`CREATE TABLE person (id integer PRIMARY KEY, name varchar(20), modified_at ${cursor} NOT NULL)`)
    await source.run(
      `INSERT INTO person VALUES (1, 'old', '${stamp(30)}'), (2, 'late', '${stamp(9)}'), (3, 'new', '${stamp(1)}')`,
    )
  }

  async function checkpoint(): Promise<unknown> {
    const found = (await target.run(`SELECT checkpoint FROM ${qualified('tributary_state')}`)) as {
      readonly rows: readonly unknown[]
    }
    return found.rows
  }

  test.each(['TIMESTAMP(6)', 'DATETIME(6)'])(
    'are read again, and those before it are not; the checkpoint stays (%s)',
    async (cursor) => {
      await fill(cursor)
      await run([])
      const before = await checkpoint()
      await target.run(`UPDATE ${qualified('person')} SET name = 'spoilt'`)
      const again = await run([], { changedSince: past(12) })
      expect([again.status, read(again)]).toEqual(['completed', [2]])
      expect(await rows('id, name')).toEqual(['1 spoilt', '2 late', '3 new'])
      expect(await checkpoint()).toEqual(before)
      await source.run(`INSERT INTO person VALUES (4, 'next', '${stamp(0)}')`)
      await source.run('DELETE FROM person WHERE id = 3')
      expect(await run([], { changedSince: past(12) })).toMatchObject({ status: 'completed' })
      expect(await rows('id, name')).toEqual(['1 spoilt', '2 late', '4 next'])
    },
  )

  test('are found by a column that is left out, whose values stay in the source', async () => {
    await fill('DATETIME(6)')
    await run(['person.modified_at'])
    await source.run(`UPDATE person SET name = 'changed', modified_at = '${stamp(0)}' WHERE id = 1`)
    await run(['person.modified_at'])
    expect(await rows('id, name')).toEqual(['1 changed', '2 late', '3 new'])
    await expect(rows('modified_at')).rejects.toThrow(/column/u)
    expect(read(await run(['person.modified_at'], { changedSince: past(5) }))).toEqual([2])
  })

  test('are all rows if no column shows changes', async () => {
    await source.run(`CREATE TABLE person (id integer PRIMARY KEY, name varchar(20))`)
    await source.run(`INSERT INTO person VALUES (1, 'one')`)
    expect(read(await run([], { changedSince: past(1) }))).toEqual([1])
  })
})
