/** Parts of a table, such as the rows of one company: they are replaced, compared and removed, and the other rows stay. */
import { expect, test } from 'vitest'
import { encodeRows } from '@tributary/engine/encoding/copy-text'
import type { Column, RowBatch, Table } from '@tributary/engine/ports/model'
import type { OpenTarget, StreamState, Writer } from '@tributary/engine/ports/target'
import { batch, column, stream, table, yielding } from '../../engine/sync/fixtures.ts'
import { load, newName, newWriter, writing, type TargetBench } from './target-bench.ts'

const company: Column = column('company id', { kind: 'text', maxLength: 100 }, false)
const id: Column = column('id', { kind: 'integer', bytes: 4 }, false)
const name: Column = column('name', { kind: 'text', maxLength: 50 })
const loose = { rows: 1_000, share: 1 }
const part = (...values: readonly string[]) => ({ column: company.name, values })

type Row = readonly [company: string, id: string, name: string]

const rowsAtFirst: readonly Row[] = [
  ['a', '1', 'first'],
  ['a', '2', 'first'],
  ['b', '1', 'first'],
  ['b', '2', 'first'],
  ['c', '1', 'first'],
]

export function partCases(bench: TargetBench): void {
  replacementCases(bench)
  comparisonCases(bench)
  removalCases(bench)
}

/** A document with a line each, of three companies. */
class Documents {
  readonly #bench: TargetBench
  #fence = 1
  readonly main: Table = table(newName('shared'), [company, id, name], [company.name, id.name])
  readonly lines: Table = {
    name: newName('shared line'),
    columns: [company, id, { ...id, name: 'line' }],
    key: [company.name, id.name, 'line'],
    parentKey: [company.name, id.name],
  }
  readonly stream = stream(this.main, { children: [this.lines] })
  readonly writer: Writer = newWriter()

  constructor(bench: TargetBench) {
    this.#bench = bench
  }

  static async loaded(bench: TargetBench): Promise<Documents> {
    const documents = new Documents(bench)
    await writing(
      bench,
      (target) =>
        load(target, documents.stream, { batches: documents.batches(rowsAtFirst), checkpoint: { at: 'first' } }),
      documents.writer,
    )
    return documents
  }

  batches(rows: readonly Row[]): readonly RowBatch[] {
    return [
      batch(this.main, rows),
      batch(
        this.lines,
        rows.map(([of, document]) => [of, document, '1']),
      ),
    ]
  }

  async rows(): Promise<TextsByTable> {
    const read = async (of: Table) => (await this.#bench.rows(of)).map(textOf).toSorted()
    return { main: await read(this.main), lines: await read(this.lines) }
  }

  /** A later run of the same connector. */
  next(): Writer {
    return { ...newWriter((this.#fence += 1)), connectorId: this.writer.connectorId }
  }

  state(): Promise<StreamState> {
    const read = async (target: OpenTarget) => (await target.prepare(this.stream), target.state(this.stream))
    return writing(this.#bench, read, this.next())
  }
}

interface TextsByTable {
  readonly main: readonly string[]
  readonly lines: readonly string[]
}

const textOf = (row: readonly (string | null)[]): string => row.join(' ')

function textsOf(rows: readonly Row[]): TextsByTable {
  const lines = rows.map(([of, document]) => textOf([of, document, '1']))
  return { main: rows.map(textOf).toSorted(), lines: lines.toSorted() }
}

function replacementCases(bench: TargetBench): void {
  test('[SRC-12] a replacement of one company replaces its rows and their children, and discards what was loaded of others', async () => {
    const documents = await Documents.loaded(bench)
    const writer = documents.next()
    await writing(
      bench,
      async (target) => {
        await target.prepare(documents.stream)
        await using open = await target.load(documents.stream, { kind: 'replace', resume: false })
        const loaded: readonly Row[] = [
          ['b', '2', 'second'],
          ['b', '3', 'second'],
          // It failed after this row.
          ['c', '7', 'second'],
        ]
        for (const each of documents.batches(loaded)) await open.write(each)
        await open.finish({ at: 'second' }, part('b'))
      },
      writer,
    )
    expect(await documents.rows()).toEqual(
      textsOf([
        ['a', '1', 'first'],
        ['a', '2', 'first'],
        ['b', '2', 'second'],
        ['b', '3', 'second'],
        ['c', '1', 'first'],
      ]),
    )
    expect(await documents.state()).toMatchObject({ checkpoint: { at: 'second' }, finishedRun: writer.runId })
  })

  test('[SRC-12] a replacement that leaves the end of the stream as it was changes rows and checkpoint only', async () => {
    const documents = await Documents.loaded(bench)
    const before = await documents.state()
    await writing(
      bench,
      async (target) => {
        await target.prepare(documents.stream)
        await using open = await target.load(documents.stream, { kind: 'replace', resume: false })
        for (const each of documents.batches([['c', '2', 'second']])) await open.write(each)
        await open.finish({ at: 'second' }, { ...part('b', 'c'), keepsEnd: true })
      },
      documents.next(),
    )
    expect(await documents.rows()).toEqual(
      textsOf([
        ['a', '1', 'first'],
        ['a', '2', 'first'],
        ['c', '2', 'second'],
      ]),
    )
    const { finishedRun, freshAt } = before
    expect(finishedRun).toBe(documents.writer.runId)
    expect(await documents.state()).toMatchObject({ checkpoint: { at: 'second' }, finishedRun, freshAt })
  })
}

function comparisonCases(bench: TargetBench): void {
  test('[SRC-12] the keys of one company delete none of another, and the stream counts as compared after the last', async () => {
    const documents = await Documents.loaded(bench)
    const { main, stream: shared } = documents
    await writing(
      bench,
      async (target) => {
        await target.prepare(shared)
        const compare = (keys: readonly (readonly [string, string])[], of: string, isLast: boolean) =>
          target.compareKeys(shared, yielding(batch(main, keys)), loose, { ...part(of), isLast })
        const first = await compare(
          [
            ['b', '2'],
            ['b', '9'],
          ],
          'b',
          false,
        )
        expect(first).toEqual({
          outcome: 'done',
          deleted: 1,
          missing: { count: 1, rows: encodeRows([['b', '9']]) },
        })
        expect((await target.state(shared)).sweptAt).toBeNull()
        expect(await compare([['c', '1']], 'c', true)).toMatchObject({ outcome: 'done', deleted: 0 })
        expect((await target.state(shared)).sweptAt).not.toBeNull()
      },
      documents.next(),
    )
    expect(await documents.rows()).toEqual(
      textsOf(rowsAtFirst.filter(([of, document]) => of !== 'b' || document !== '1')),
    )
  })

  test('[SRC-12] the guard against many deletions counts the rows of the company, not those of the others', async () => {
    const documents = await Documents.loaded(bench)
    const { main, stream: shared } = documents
    await writing(
      bench,
      async (target) => {
        await target.prepare(shared)
        const keys = yielding(batch(main, []))
        expect(
          await target.compareKeys(shared, keys, { rows: 0, share: 0.6 }, { ...part('a'), isLast: true }),
        ).toMatchObject({ outcome: 'refused', wouldDelete: 2, rows: 2 })
        expect((await target.state(shared)).sweptAt).toBeNull()
      },
      documents.next(),
    )
    expect(await documents.rows()).toEqual(textsOf(rowsAtFirst))
  })
}

function removalCases(bench: TargetBench): void {
  test('[SRC-12] a company that is taken off leaves with its children, and the end of the stream stays as it was', async () => {
    const documents = await Documents.loaded(bench)
    const { finishedRun, freshAt } = await documents.state()
    await writing(
      bench,
      async (target) => {
        await target.prepare(documents.stream)
        await using open = await target.load(documents.stream, { kind: 'merge' })
        const keys = rowsAtFirst.filter(([of]) => of === 'a').map(([of, document]) => [of, document])
        await open.write({ table: documents.main.name, bytes: encodeRows(keys), rows: keys.length, deletes: true })
        expect((await open.commit({ at: 'without a' })).deleted).toBe(4)
      },
      documents.next(),
    )
    expect(await documents.rows()).toEqual(textsOf(rowsAtFirst.filter(([of]) => of !== 'a')))
    expect(await documents.state()).toMatchObject({ checkpoint: { at: 'without a' }, finishedRun, freshAt })
  })

  test('[SRC-12] a company that is taken off leaves a table without a key, and equal rows of others stay as often as they were', async () => {
    const log = stream(table(newName('shared log'), [company, name], []))
    const writer = newWriter()
    const loaded = [
      ['a', 'twice'],
      ['b', 'twice'],
      ['b', 'twice'],
      ['c', null],
    ] as const
    await writing(
      bench,
      (target) => load(target, log, { mode: { kind: 'replace', resume: false }, batches: [batch(log.table, loaded)] }),
      writer,
    )
    await writing(
      bench,
      async (target) => {
        await target.prepare(log)
        await using open = await target.load(log, { kind: 'replace', resume: false })
        await open.finish({ at: 'without a' }, { ...part('a'), keepsEnd: true })
      },
      { ...newWriter(2), connectorId: writer.connectorId },
    )
    expect(await bench.rows(log.table)).toEqual([
      ['b', 'twice'],
      ['b', 'twice'],
      ['c', null],
    ])
  })
}
