/** Writes rows to data files, each of which has rows of one partition. */
import type { Cell } from '../format/cells.ts'
import type { DataFile } from '../format/manifest.ts'
import { type CellRow, DataWriter, type DataWriterOptions } from './data-writer.ts'
import { partitionKey, partitionOfRow, type Partitions, partitionsOf } from './partitions.ts'

export interface RowWriter extends Pick<DataWriter, 'add' | 'finish' | 'cancel'> {
  /** Missing where the rows of one text get into several files. */
  readonly addFields?: DataWriter['addFields']
}

/** What rows of all partitions may take before the largest of them is written. */
const waitingMax = 32 * 1_048_576
/** Each open file has a part of an upload in memory. */
const openMax = 8

export function openRowWriter(options: Omit<DataWriterOptions, 'partition'>): RowWriter {
  const partitions = partitionsOf(options.table, options.fields)
  return partitions.month === null
    ? new DataWriter({ ...options, partition: { specId: partitions.specId, values: {} } })
    : new PartitionedWriter(options, partitions)
}

interface OpenPartition {
  readonly writer: DataWriter
  /** Of the rows that wait in memory. */
  weight: number
}

class PartitionedWriter implements RowWriter {
  readonly #options: Omit<DataWriterOptions, 'partition'>
  readonly #partitions: Partitions
  readonly #writers = new Map<string, OpenPartition>()
  /** Those with an open file, the one that was written longest ago first. */
  readonly #open = new Set<OpenPartition>()
  readonly #files: DataFile[] = []
  #waiting = 0

  constructor(options: Omit<DataWriterOptions, 'partition'>, partitions: Partitions) {
    this.#options = options
    this.#partitions = partitions
  }

  add(row: CellRow): Promise<void> | undefined {
    const partition = this.#partitionOf(row)
    const weight = weightOf(row)
    partition.weight += weight
    this.#waiting += weight
    const pause = partition.writer.add(row)
    if (pause !== undefined) return this.#noteWritten(partition, pause)
    return this.#waiting >= waitingMax ? this.#writeHeaviest() : undefined
  }

  #partitionOf(row: CellRow): OpenPartition {
    const partition = partitionOfRow(this.#partitions, row)
    const key = partitionKey(partition)
    const found = this.#writers.get(key)
    if (found !== undefined) return found
    const created = { writer: new DataWriter({ ...this.#options, partition }), weight: 0 }
    this.#writers.set(key, created)
    return created
  }

  async #writeHeaviest(): Promise<void> {
    let heaviest: OpenPartition | null = null
    for (const each of this.#writers.values()) if (each.weight > (heaviest?.weight ?? 0)) heaviest = each
    if (heaviest !== null) await this.#noteWritten(heaviest, heaviest.writer.writeGroup())
  }

  async #noteWritten(partition: OpenPartition, written: Promise<void>): Promise<void> {
    await written
    this.#waiting -= partition.weight
    partition.weight = 0
    this.#open.delete(partition)
    this.#open.add(partition)
    const [oldest] = this.#open
    if (this.#open.size > openMax && oldest !== undefined) await this.#close(oldest)
  }

  async #close(partition: OpenPartition): Promise<void> {
    this.#files.push(...(await partition.writer.finish()))
    this.#waiting -= partition.weight
    partition.weight = 0
    this.#open.delete(partition)
  }

  async finish(): Promise<readonly DataFile[]> {
    for (const partition of this.#writers.values()) await this.#close(partition)
    return this.#files.splice(0)
  }

  async cancel(): Promise<void> {
    for (const { writer } of this.#writers.values()) await writer.cancel()
    this.#writers.clear()
    this.#open.clear()
  }
}

function weightOf(row: readonly Cell[]): number {
  let weight = 8 * row.length
  for (const cell of row) if (typeof cell === 'string' || cell instanceof Uint8Array) weight += cell.length
  return weight
}
