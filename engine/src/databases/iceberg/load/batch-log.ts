/** The batches since the last commit, in a local file once they are large: after a commit by another program they are applied again. */
import { randomUUID } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RowBatch } from '../../../ports/model.ts'

export type LoggedBatch = Pick<RowBatch, 'table' | 'bytes' | 'deletes'>

interface StoredBatch {
  readonly table: string
  readonly deletes: boolean
  readonly offset: number
  readonly length: number
}

const memoryBytes = 8 * 1_048_576

export class BatchLog implements AsyncDisposable {
  #recent: LoggedBatch[] = []
  #recentBytes = 0
  #stored: StoredBatch[] = []
  #storedBytes = 0
  #file: FileHandle | null = null
  #path = ''

  /** Copies the bytes, which their owner may release. */
  async add({ table, bytes, deletes }: LoggedBatch): Promise<void> {
    this.#recent.push({ table, bytes: Uint8Array.from(bytes), ...(deletes === true && { deletes }) })
    this.#recentBytes += bytes.length
    if (this.#recentBytes > memoryBytes) await this.#store()
  }

  async *read(): AsyncGenerator<LoggedBatch> {
    for (const { table, deletes, offset, length } of this.#stored) {
      const bytes = Buffer.alloc(length)
      await this.#file?.read(bytes, 0, length, offset)
      yield { table, bytes, ...(deletes && { deletes: true as const }) }
    }
    yield* this.#recent
  }

  clear(): void {
    this.#recent = []
    this.#recentBytes = 0
    this.#stored = []
    this.#storedBytes = 0
  }

  async #store(): Promise<void> {
    if (this.#file === null) {
      this.#path = join(tmpdir(), `tributary-batches-${randomUUID()}`)
      this.#file = await open(this.#path, 'wx+', 0o600)
    }
    for (const { table, bytes, deletes } of this.#recent) {
      await this.#file.write(bytes, 0, bytes.length, this.#storedBytes)
      this.#stored.push({ table, deletes: deletes === true, offset: this.#storedBytes, length: bytes.length })
      this.#storedBytes += bytes.length
    }
    this.#recent = []
    this.#recentBytes = 0
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#file?.close()
    if (this.#path !== '') await rm(this.#path, { force: true })
    this.#file = null
  }
}
