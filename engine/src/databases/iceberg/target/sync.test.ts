import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { booksSource, newBooks } from '@tributary/testing/engine/sync/fake-books.ts'
import { fakeSource, fakeStreamOf } from '@tributary/testing/engine/sync/fake-source.ts'
import { batch, column, type RowFields, stream, table } from '@tributary/testing/engine/sync/fixtures.ts'
import { makePostgresPair } from '@tributary/testing/engine/databases/postgres-pair.ts'
import { makePostgresBench, type PostgresBench } from '@tributary/testing/engine/databases/postgres-bench.ts'
import { connectionContext, realClock } from '@tributary/testing/engine/sync/source-context.ts'
import { readWithIcebird } from '@tributary/testing/engine/iceberg/icebird-rows.ts'
import { LakeUnderTest } from '@tributary/testing/engine/iceberg/lake-under-test.ts'
import { load, writing } from '@tributary/testing/conformance/target/target-bench.ts'
import type { LogicalType, Table } from '../../../ports/model.ts'
import type { OpenSource } from '../../../ports/source.ts'
import type { OpenTarget } from '../../../ports/target.ts'
import type { SyncOutcome } from '../../../sync/sync-request.ts'
import { sync } from '../../../sync/run.ts'
import { postgresSource } from '../../postgres/source/source.ts'

let lake: LakeUnderTest
let postgres: PostgresBench
beforeAll(async () => {
  lake = await LakeUnderTest.make()
  postgres = await makePostgresBench()
})
afterAll(async () => {
  await lake[Symbol.asyncDispose]()
  await postgres[Symbol.asyncDispose]()
})

function run(source: OpenSource, target: OpenTarget, log: (line: string) => void): Promise<SyncOutcome> {
  const writer = { connectorId: randomUUID(), runId: randomUUID(), fence: 1 }
  const { signal } = new AbortController()
  return sync({ source, target, writer, syncMode: 'incremental', report: () => {}, log, clock: realClock, signal })
}

test('[LAKE-2] a source with a report that its rows must add up to is moved, and the log says that nothing was tied out', async () => {
  const books = newBooks()
  books.entries.push({ id: 'one', day: '2026-03-05', account: 'sales', amount: '-100.00' })
  const lines: string[] = []
  await using target = await lake.open()
  const outcome = await run(booksSource(books), target, (line) => lines.push(line))
  expect(outcome).toMatchObject({ status: 'completed', fault: null, tieOut: null, marks: [], offer: null })
  expect(lines).toContainEqual(expect.stringContaining('stores tables only'))
})

test('[LAKE-3] digits of a time beyond a microsecond are cut off, and the log says how many', async () => {
  const main = table(`ticks ${randomUUID().slice(0, 8)}`, [
    column('id', { kind: 'integer', bytes: 4 }, false),
    column('at', { kind: 'localTimestamp', digits: 7 }),
  ])
  const rows = [
    ['1', '2024-12-31 23:59:59.9999999'],
    ['2', '2024-12-31 23:59:59.9999990'],
  ]
  const lines: string[] = []
  await using target = await lake.open()
  const source = fakeSource([fakeStreamOf(main, [batch(main, rows)])])
  expect(await run(source, target, (line) => lines.push(line))).toMatchObject({ status: 'completed' })
  expect(lines).toContain(
    `${main.name}: 1 times are finer than a microsecond, the precision of the target. The digits beyond it were cut off.`,
  )
  expect((await lake.rows(main)).map(([, at]) => at)).toEqual([
    '2024-12-31 23:59:59.999999',
    '2024-12-31 23:59:59.999999',
  ])
})

test('[LAKE-2] rows of a source that releases its memory arrive whole, also those that are cut between two batches', async () => {
  await using pair = await makePostgresPair()
  const rows = 20_000
  await pair.source.query(
    `CREATE TABLE orders AS SELECT n AS id, repeat('order ', n % 50) || n AS note FROM generate_series(1, ${rows}) AS n;
     ALTER TABLE orders ADD PRIMARY KEY (id)`,
  )
  const around = connectionContext()
  await using source = await postgresSource.open(postgresSource.parse(pair.properties), around)
  await using target = await lake.open()
  const { status, streams } = await run(source, target, () => {})
  expect(status).toBe('completed')
  const found = await lake.rows(tableOf(streams))
  expect(found).toHaveLength(rows)
  expect(found.at(-1)).toEqual([String(rows), `${'order '.repeat(rows % 50)}${rows}`])
})

const tableOf = (streams: SyncOutcome['streams']): Table => {
  const [first] = streams
  if (first === undefined) throw new Error('The source has no table.')
  return first.stream.table
}

const types: readonly (readonly [name: string, type: LogicalType])[] = [
  ['whole', { kind: 'integer', bytes: 4 }],
  ['large', { kind: 'integer', bytes: 8 }],
  ['money', { kind: 'decimal', precision: 9, scale: 2 }],
  ['rate', { kind: 'decimal', precision: 18, scale: 6 }],
  ['wide', { kind: 'decimal', precision: 38, scale: 10 }],
  ['share', { kind: 'double' }],
  ['is open', { kind: 'boolean' }],
  ['day', { kind: 'date' }],
  ['wall', { kind: 'localTimestamp', digits: 3 }],
  ['moment', { kind: 'instant', digits: 3 }],
  ['reference', { kind: 'guid' }],
  ['raw', { kind: 'bytes' }],
  ['note', { kind: 'text' }],
]

const rowsOfTypes = (from: number, count: number): RowFields[] =>
  Array.from({ length: count }, (_, at) => from + at).map((at) => [
    String(at),
    at % 7 === 0 ? null : String(at * 1_000 - 5_000),
    `${at}00000000001`,
    at % 5 === 0 ? null : `-${at}.25`,
    `${at}.000001`,
    `${at}234567890.0000000001`,
    String(at / 8),
    at % 2 === 0 ? 't' : 'f',
    `20${String(10 + (at % 80))}-0${1 + (at % 9)}-11`,
    `2024-03-31 02:30:0${at % 10}.125`,
    `2031-03-31 01:30:0${at % 10}.5+00`,
    `6b1f0c52-0d5a-4c0b-9a51-${String(at).padStart(12, '0')}`,
    `\\x00ff${at % 2 === 0 ? '5c' : '0a'}`,
    at % 3 === 0 ? null : `Ω „${at}“ 🦀\t\\`,
  ])

test('[LAKE-6] icebird reads every type after loads, updates and deletions, and its rows equal those of the PostgreSQL target', async () => {
  const id = column('id', { kind: 'integer', bytes: 4 }, false)
  const main = table(`every type ${randomUUID().slice(0, 8)}`, [id, ...types.map(([name, type]) => column(name, type))])
  const lines: Table = {
    ...table(`its lines ${randomUUID().slice(0, 8)}`, [
      { ...id, name: 'document' },
      { ...id, name: 'line' },
    ]),
    key: ['document', 'line'],
    parentKey: ['document'],
  }
  const documents = stream(main, { children: [lines] })
  const linesOf = (rows: readonly RowFields[]) =>
    rows.flatMap(([of = null]) => [
      [of, '1'],
      [of, '2'],
    ])
  const fill = async (target: OpenTarget): Promise<void> => {
    const first = rowsOfTypes(1, 300)
    const second = rowsOfTypes(1_001, 40).map((row, at) => [String(at * 7 + 1), ...row.slice(1)])
    await load(target, documents, {
      mode: { kind: 'replace', resume: false },
      batches: [batch(main, first), batch(lines, linesOf(first))],
    })
    const deleted = { ...batch(main, [['3'], ['300'], ['9999']]), deletes: true as const }
    const third = rowsOfTypes(301, 20)
    await load(target, documents, {
      batches: [batch(main, [...second, ...third]), batch(lines, linesOf(second).slice(3)), deleted],
    })
  }
  for (const bench of [lake, postgres]) await writing(bench, fill)
  for (const each of [main, lines]) {
    const found = await lake.find(each)
    const foreign = found === null ? [] : await readWithIcebird(found.metadata)
    const own = (await postgres.rows(each)).map((row) => row.map((text, at) => coarse(text, each.columns[at]?.type)))
    const read = foreign.map((row) => each.columns.map(({ name, type }) => coarse(textOf(row[name]), type)))
    expect(own.length).toBeGreaterThan(300)
    expect(sorted(read)).toEqual(sorted(own))
  }
})

/** What icebird distinguishes: it reads decimals as doubles, and binary as text. */
function coarse(text: string | null, type: LogicalType | undefined): string | null {
  if (text === null || type === undefined) return null
  return coarseTexts[type.kind]?.(text) ?? text
}

const coarseNumber = (text: string): string => Number(text).toPrecision(12)
const coarseMoment = (text: string): string =>
  new Date(text.endsWith('Z') ? text : `${text.replace(' ', 'T').replace('+00', '')}Z`).toISOString()

const coarseTexts: { readonly [kind in LogicalType['kind']]?: (text: string) => string } = {
  decimal: coarseNumber,
  double: coarseNumber,
  boolean: (text) => ({ true: 't', false: 'f' })[text] ?? text,
  date: (text) => text.slice(0, 10),
  localTimestamp: coarseMoment,
  instant: coarseMoment,
  guid: (text) => text.replaceAll('-', ''),
  bytes: (text) => (text.startsWith('\\x') ? Buffer.from(text.slice(2), 'hex').toString() : text),
}

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  return value instanceof Uint8Array ? Buffer.from(value).toString('hex') : String(value)
}

function sorted(rows: readonly (readonly (string | null)[])[]): readonly string[] {
  return rows.map((row) => JSON.stringify(row)).sort()
}
