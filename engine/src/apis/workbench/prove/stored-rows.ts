/** A target in memory with the rules of real ones: rows and checkpoint are stored together, a parent replaces its children. */
import { decodeRows } from '../../../encoding/copy-text.ts'
import type { Checkpoint, RowBatch, Table } from '../../../ports/model.ts'
import type { Stream } from '../../../ports/source.ts'
import type { StoredTransaction } from './reader-job.ts'

type Row = readonly (string | null)[]

export class StoredRows {
  checkpoint: Checkpoint | null = null
  readonly stream: Stream
  /** Rows by key; of a table without a key, by their number. */
  readonly #tables: Map<string, Map<string, Row>>
  #waiting: RowBatch[] = []

  constructor(stream: Stream) {
    this.stream = stream
    this.#tables = new Map([stream.table, ...stream.children].map(({ name }) => [name, new Map()]))
  }

  /** Rows wait for a checkpoint, or for the end of the read. */
  add(batch: RowBatch): void {
    if (batch.supersedes === true) this.#store()
    this.#waiting.push(batch)
    if (batch.checkpoint === undefined) return
    this.#store()
    this.checkpoint = batch.checkpoint
  }

  /** What a process has written. */
  addTransaction({ batches, checkpoint }: StoredTransaction): void {
    for (const { bytes, ...batch } of batches) this.add({ ...batch, bytes: Buffer.from(bytes, 'base64') })
    this.#store()
    if (checkpoint !== null) this.checkpoint = checkpoint
  }

  endRead(): void {
    this.#store()
  }

  /** The process ends: what waits is lost. */
  kill(): void {
    this.#waiting = []
  }

  /** Keys of the main table, as sources list them. */
  keys(): ReadonlyMap<string, Row> {
    const rows = this.#tables.get(this.stream.table.name) ?? new Map<string, Row>()
    return new Map([...rows.values()].map((row) => [keyOf(this.stream.table, row), keyValues(this.stream.table, row)]))
  }

  deleteKeys(keys: readonly string[]): void {
    for (const key of keys) this.#delete(key)
  }

  rows(table: string): readonly Row[] {
    return [...(this.#tables.get(table)?.values() ?? [])]
  }

  #store(): void {
    const { table, children } = this.stream
    const batches = this.#waiting
    this.#waiting = []
    for (const { bytes } of batches.filter(({ deletes }) => deletes === true))
      for (const key of decodeRows(bytes)) this.#delete(JSON.stringify(key))
    const parents = batches.filter((batch) => batch.table === table.name && batch.deletes !== true)
    for (const { bytes } of parents)
      for (const row of decodeRows(bytes)) {
        if (table.key.length > 0) this.#delete(keyOf(table, row))
        this.#put(table, row)
      }
    for (const child of children)
      for (const { bytes } of batches.filter((batch) => batch.table === child.name))
        for (const row of decodeRows(bytes)) this.#put(child, row)
  }

  #put(table: Table, row: Row): void {
    const rows = this.#tables.get(table.name)
    rows?.set(table.key.length === 0 ? String(rows.size) : keyOf(table, row), row)
  }

  /** The row with its children. */
  #delete(key: string): void {
    const { table, children } = this.stream
    this.#tables.get(table.name)?.delete(key)
    for (const child of children) {
      const rows = this.#tables.get(child.name) ?? new Map<string, Row>()
      for (const [own, row] of rows) if (parentKeyOf(child, row) === key) rows.delete(own)
    }
  }
}

function keyOf(table: Table, row: Row): string {
  return JSON.stringify(keyValues(table, row))
}

function keyValues({ columns, key }: Table, row: Row): Row {
  return key.map((name) => row[columns.findIndex((column) => column.name === name)] ?? null)
}

function parentKeyOf({ columns, parentKey = [] }: Table, row: Row): string {
  return JSON.stringify(parentKey.map((name) => row[columns.findIndex((column) => column.name === name)] ?? null))
}
