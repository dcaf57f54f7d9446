/** Conformance suite of sources. The test next to a source calls `testSource` with a real system or a simulator. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { decodeRows, encodeRows, joinRows } from '@tributary/engine/encoding/copy-text'
import { Fault } from '@tributary/engine/ports/faults'
import type { RowBatch, Checkpoint, LogicalType, Table } from '@tributary/engine/ports/model'
import type { OpenSource, Stream } from '@tributary/engine/ports/source'
import type { RowFields } from '../../engine/sync/fixtures.ts'

export interface SourceUnderTest extends AsyncDisposable {
  open(signal?: AbortSignal): Promise<OpenSource>
  /** Opens the same source with wrong credentials. */
  openRefused(): Promise<OpenSource>
  /**
   * Changes at least one row of a `since` stream and returns the changed streams. Absent if the source cannot change.
   */
  change?(): Promise<readonly string[]>
  /** Expected number of rows of a complete read, by stream; other streams may have any number. */
  readonly rows: Readonly<Record<string, number>>
  /** Values that must never appear in a fault or a check. */
  readonly secrets: readonly string[]
}

export function testSource(name: string, make: () => Promise<SourceUnderTest>): void {
  describe(name, () => {
    let made: SourceUnderTest | undefined
    const there = (): SourceUnderTest => {
      if (made === undefined) throw new Error('The source is opened before the first test, and there only.')
      return made
    }
    beforeAll(async () => {
      made = await make()
    })
    afterAll(() => made?.[Symbol.asyncDispose]())
    checkCases(there)
    readCases(there)
    readByKeyCases(there)
    repeatCases(there)
  })
}

function checkCases(there: () => SourceUnderTest): void {
  test('the named checks of a working connection pass', async () => {
    await using source = await there().open()
    const checks = await source.check()
    expect(checks.length).toBeGreaterThan(1)
    expect(checks.filter((check) => check.outcome !== 'passed')).toEqual([])
  })

  test('wrong credentials fail a check and are a sign-in fault in a read; neither reveals a secret', async () => {
    const checks = await using(there().openRefused(), (source) => source.check())
    expect(checks.map((check) => check.outcome)).toContain('failed')
    const fault: unknown = await using(there().openRefused(), (source) => source.streams()).catch(
      (error: unknown) => error,
    )
    expect(fault).toBeInstanceOf(Fault)
    expect((fault as Fault).kind).toBe('signIn')
    const output = JSON.stringify(checks) + (fault as Fault).notice + String((fault as Fault).stack)
    for (const secret of there().secrets) expect(output).not.toContain(secret)
  })

  test('streams, tables and columns have unique names, and keys are columns that are never null', async () => {
    const streams = await using(there().open(), (source) => source.streams())
    const tables = streams.flatMap((stream) => [stream.table, ...stream.children])
    expect(new Set(streams.map((stream) => stream.name)).size).toBe(streams.length)
    expect(new Set(tables.map((table) => table.name)).size).toBe(tables.length)
    for (const table of tables) {
      const names = table.columns.map((column) => column.name)
      expect(new Set(names).size).toBe(names.length)
      for (const key of [...table.key, ...(table.parentKey ?? [])])
        expect(table.columns.find((column) => column.name === key)?.nullable).toBe(false)
    }
  })
}

function readCases(there: () => SourceUnderTest): void {
  test('every row has every column in the canonical text of its type, and keys are unique if the source promises it', async () => {
    await using source = await there().open()
    for (const stream of await source.streams()) {
      const { rows } = await readAll(source, stream, null)
      const expected = there().rows[stream.name]
      if (expected !== undefined)
        expect([stream.name, rows.get(stream.table.name)?.length ?? 0]).toEqual([stream.name, expected])
      for (const table of [stream.table, ...stream.children]) expectCanonical(table, rows.get(table.name) ?? [])
      if (stream.hasDistinctKeys && stream.table.key.length > 0)
        expectDistinct(stream.table, rows.get(stream.table.name) ?? [])
    }
  })

  test('the complete set of keys equals the keys of the rows', async () => {
    await using source = await there().open()
    for (const stream of await source.streams()) {
      if (source.keys === undefined || stream.table.key.length === 0 || stream.keyComparison === 'never') continue
      const { rows } = await readAll(source, stream, null)
      const keys = await collect(source.keys(stream))
      expect(sorted(keys.rows.get(stream.table.name) ?? [])).toEqual(
        sorted(keysOf(stream.table, rows.get(stream.table.name) ?? [])),
      )
    }
  })

  test('an abort ends a read within a second', async () => {
    const stop = new AbortController()
    await using source = await there().open(stop.signal)
    const [stream] = await source.streams()
    if (stream === undefined) throw new Error('The source under test has no stream.')
    const since = performance.now()
    stop.abort(new Error('stopped by a person'))
    await expect(readAll(source, stream, null)).rejects.toBeInstanceOf(Error)
    expect(performance.now() - since).toBeLessThan(1_000)
  })
}

function readByKeyCases(there: () => SourceUnderTest): void {
  test('[ENG-1] a read by keys returns the same rows as a complete read, with their children', async () => {
    await using source = await there().open()
    for (const stream of await source.streams()) {
      if (
        source.readByKey === undefined ||
        stream.reads !== 'since' ||
        stream.table.key.length === 0 ||
        stream.keyComparison === 'never'
      )
        continue
      const { rows } = await readAll(source, stream, null)
      const all = rows.get(stream.table.name) ?? []
      const wanted = all.filter((_, at) => at % 3 === 1)
      const keys = new Set(keysOf(stream.table, wanted).map((key) => JSON.stringify(key)))
      const found = await collect(
        source.readByKey(stream, encodeRows(keysOf(stream.table, wanted)), { encoding: 'text', log: () => {} }),
      )
      expect(found.checkpoint).toBeNull()
      expect([stream.name, sorted(found.rows.get(stream.table.name) ?? [])]).toEqual([stream.name, sorted(wanted)])
      for (const child of stream.children) {
        const places = (child.parentKey ?? []).map((name) => child.columns.findIndex((column) => column.name === name))
        const theirs = (rows.get(child.name) ?? []).filter((row) =>
          keys.has(JSON.stringify(places.map((place) => row[place] ?? null))),
        )
        expect([child.name, sorted(found.rows.get(child.name) ?? [])]).toEqual([child.name, sorted(theirs)])
      }
    }
  })
}

function repeatCases(there: () => SourceUnderTest): void {
  test('a read from the last checkpoint returns the changes since then', async () => {
    await using source = await there().open()
    const streams = (await source.streams()).filter((stream) => stream.reads === 'since')
    const before = new Map<string, SourceRows>()
    for (const stream of streams) before.set(stream.name, await readAll(source, stream, null))
    const changed = (await there().change?.()) ?? []
    for (const stream of streams) {
      const first = before.get(stream.name)
      expect([stream.name, first?.checkpoint ?? null]).not.toEqual([stream.name, null])
      const again = await readAll(source, stream, first?.checkpoint ?? null)
      if (changed.includes(stream.name))
        expect([stream.name, again.rows.get(stream.table.name)?.length ?? 0]).not.toEqual([stream.name, 0])
    }
  })
}

interface SourceRows {
  readonly rows: ReadonlyMap<string, readonly RowFields[]>
  readonly checkpoint: Checkpoint | null
}

/** The rows of a read as text, by table. */
export function readAll(source: OpenSource, stream: Stream, since: Checkpoint | null): Promise<SourceRows> {
  return collect(source.read(stream, { since, encoding: 'text', log: () => {} }))
}

async function collect(batches: AsyncIterable<RowBatch>): Promise<SourceRows> {
  const joiners = new Map<string, ReturnType<typeof joinRows>>()
  const rows = new Map<string, RowFields[]>()
  let checkpoint: Checkpoint | null = null
  let rowCount = 0
  for await (const batch of batches) {
    const joiner = joiners.get(batch.table) ?? joinRows()
    joiners.set(batch.table, joiner)
    const list = rows.get(batch.table) ?? []
    rows.set(batch.table, list)
    list.push(...decodeRows(joiner.push(batch.bytes)))
    rowCount += batch.rows
    checkpoint = batch.checkpoint ?? checkpoint
  }
  for (const joiner of joiners.values()) expect(joiner.waiting).toBe(0)
  expect(rowCount).toBe([...rows.values()].reduce((sum, list) => sum + list.length, 0))
  return { rows, checkpoint }
}

const canonical: Readonly<Record<LogicalType['kind'], RegExp>> = {
  text: /^[^\0]*$/s,
  integer: /^-?\d+$/,
  decimal: /^(-?\d+(\.\d+)?|NaN|-?Infinity)$/,
  double: /^(-?\d+(\.\d+)?(e[+-]?\d+)?|NaN|-?Infinity)$/,
  boolean: /^[tf]$/,
  date: /^(\d{4,}-\d\d-\d\d( BC)?|-?infinity)$/,
  time: /^\d\d:\d\d:\d\d(\.\d+)?$/,
  localTimestamp: /^(\d{4,}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?( BC)?|-?infinity)$/,
  instant: /^(\d{4,}-\d\d-\d\d \d\d:\d\d:\d\d(\.\d+)?\+00( BC)?|-?infinity)$/,
  guid: /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/,
  json: /^/,
  bytes: /^\\x([0-9a-f]{2})*$/,
}

function expectCanonical(table: Table, rows: readonly RowFields[]): void {
  const wrong = rows.flatMap((row) => {
    if (row.length !== table.columns.length)
      return [`${table.name}: ${row.length} values for ${table.columns.length} columns`]
    return table.columns.flatMap((column, at) =>
      isCanonical(column.type, row[at] ?? null) ? [] : [`${table.name}.${column.name}: ${row[at]}`],
    )
  })
  expect(wrong).toEqual([])
}

function isCanonical(type: LogicalType, value: string | null): boolean {
  if (value === null) return true
  if (type.kind === 'json') JSON.parse(value)
  if (type.kind === 'text' && type.maxLength !== undefined && [...value].length > type.maxLength) return false
  return canonical[type.kind].test(value)
}

function expectDistinct(table: Table, rows: readonly RowFields[]): void {
  const keys = keysOf(table, rows).map((key) => JSON.stringify(key))
  expect(new Set(keys).size).toBe(keys.length)
}

function keysOf(table: Table, rows: readonly RowFields[]): RowFields[] {
  const places = table.key.map((key) => table.columns.findIndex((column) => column.name === key))
  return rows.map((row) => places.map((place) => row[place] ?? null))
}

function sorted(rows: readonly RowFields[]): string[] {
  return rows.map((row) => JSON.stringify(row)).sort()
}

async function using<T>(opening: Promise<OpenSource>, work: (source: OpenSource) => Promise<T>): Promise<T> {
  await using source = await opening
  return await work(source)
}
