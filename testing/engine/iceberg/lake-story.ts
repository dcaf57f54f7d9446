/** A stream of documents with lines that changes in three steps, its runs, and the rows that a lake must have in the end. */
import { randomUUID } from 'node:crypto'
import { encodeRows } from '@tributary/engine/encoding/copy-text'
import { zeroRowCounts } from '@tributary/engine/ports/run-report'
import type { RowBatch, Table } from '@tributary/engine/ports/model'
import type { OpenTarget, Writer } from '@tributary/engine/ports/target'
import { batch, column, type RowFields, stream, table, yielding } from '../sync/fixtures.ts'
import type { LakeUnderTest } from './lake-under-test.ts'

const id = column('id', { kind: 'integer', bytes: 4 }, false)
const note = column('note', { kind: 'text' })
const amount = column('amount', { kind: 'decimal', precision: 18, scale: 2 })

/** What the source yields at each step: rows of documents and lines, and deleted documents. */
const steps = [
  {
    documents: [
      ['1', 'a', '1.00'],
      ['2', 'b', '2.00'],
      ['3', 'c', '3.00'],
    ],
    lines: [
      ['1', '1', 'x'],
      ['1', '2', 'y'],
      ['2', '1', 'z'],
      ['3', '1', 'z'],
    ],
    deleted: [],
  },
  {
    documents: [
      ['2', 'changed', '-2.50'],
      ['4', 'd', '4.00'],
    ],
    lines: [
      ['2', '2', 'other'],
      ['4', '1', 'new'],
    ],
    deleted: [['1']],
  },
  { documents: [['5', 'e', null]], lines: [], deleted: [['3']] },
] as const

export const finalDocuments: readonly RowFields[] = [
  ['2', 'changed', '-2.50'],
  ['4', 'd', '4.00'],
  ['5', 'e', null],
]
export const finalLines: readonly RowFields[] = [
  ['2', '2', 'other'],
  ['4', '1', 'new'],
]

export class LakeStory {
  readonly documents: Table = table(`documents ${randomUUID().slice(0, 8)}`, [id, note, amount])
  readonly lines: Table = {
    ...table(`lines of ${this.documents.name}`, [{ ...id, name: 'document' }, { ...id, name: 'line' }, note]),
    key: ['document', 'line'],
    parentKey: ['document'],
  }
  readonly stream = stream(this.documents, { children: [this.lines] })
  readonly connectorId = randomUUID()
  readonly #comparesKeys: boolean

  constructor({ comparesKeys = true } = {}) {
    this.#comparesKeys = comparesKeys
  }

  writer(fence: number): Writer {
    return { connectorId: this.connectorId, runId: `run ${fence}`, fence }
  }

  /** A run as the sync loop makes it: from the checkpoint in the target to the end, then all keys are compared. */
  async merge(target: OpenTarget, writer: Writer): Promise<void> {
    await this.#begin(target, writer)
    const { checkpoint } = await target.state(this.stream)
    await using load = await target.load(this.stream, { kind: 'merge' })
    for (const [at, step] of steps.entries()) {
      if (at < Number(checkpoint?.['at'] ?? 0)) continue
      for (const each of this.#batches(step)) await load.write(each)
      await load.commit({ at: at + 1 })
    }
    await load.finish({ at: steps.length })
    if (this.#comparesKeys) await this.#compare(target)
    await this.#end(target)
  }

  /** The same by a replacement, which continues an interrupted one. */
  async replace(target: OpenTarget, writer: Writer): Promise<void> {
    await this.#begin(target, writer)
    const { replacement } = await target.state(this.stream)
    await using load = await target.load(this.stream, { kind: 'replace', resume: replacement !== null })
    const pages = finalDocuments.map(
      (row, at) =>
        [
          batch(this.documents, [row]),
          batch(
            this.lines,
            finalLines.filter(([document]) => document === row[0]),
          ),
          at,
        ] as const,
    )
    for (const [documents, lines, at] of pages) {
      if (at < Number(replacement?.checkpoint['at'] ?? 0)) continue
      await load.write(documents)
      await load.write(lines)
      await load.commit({ at: at + 1 })
    }
    await load.finish({ at: steps.length })
    await this.#end(target)
  }

  async #begin(target: OpenTarget, writer: Writer): Promise<void> {
    await target.begin(writer)
    await target.reportRun({
      status: 'running',
      startedAt: new Date(),
      endedAt: null,
      notice: null,
      rows: zeroRowCounts,
    })
    await target.prepare(this.stream)
  }

  async #end(target: OpenTarget): Promise<void> {
    const now = new Date()
    await target.reportRun({ status: 'completed', startedAt: now, endedAt: now, notice: null, rows: zeroRowCounts })
  }

  async #compare(target: OpenTarget): Promise<void> {
    const keys = batch(
      this.documents,
      finalDocuments.map(([key = null]) => [key]),
    )
    const result = await target.compareKeys(this.stream, yielding(keys), { rows: 100, share: 1 })
    if (result.missing.count > 0) throw new Error('The table lacks rows of the source.')
  }

  #batches({ documents, lines, deleted }: (typeof steps)[number]): readonly RowBatch[] {
    return [
      batch(this.documents, documents),
      batch(this.lines, lines),
      { table: this.documents.name, bytes: encodeRows(deleted), rows: deleted.length, deletes: true },
    ]
  }

  async rows(
    lake: LakeUnderTest,
  ): Promise<{ readonly documents: readonly RowFields[]; readonly lines: readonly RowFields[] }> {
    return { documents: await lake.rows(this.documents), lines: await lake.rows(this.lines) }
  }
}
