/** Encodes the records of a read as rows. */
import type { RowBatch } from '../../../ports/model.ts'
import { allLackKeys, encodeDocuments, encodeKeys, keyOf } from '../../http/documents.ts'
import type { JsonObject } from '../../http/exact-json.ts'
import { misfit } from '../calls.ts'
import type { DescribedStream } from './described-stream.ts'
import { withWholeLists } from './whole-lists.ts'

/**
 * Encodes records and remembers which keys were written and which are deleted, since a read may return a record
 * several times: the last time counts.
 */
export class RecordEncoder {
  readonly #stream: DescribedStream
  /** Null: deleted records are skipped, because nothing of them is in the target yet. */
  readonly #deleted: Map<string, JsonObject> | null

  constructor(stream: DescribedStream, { skipsDeleted }: { readonly skipsDeleted: boolean }) {
    this.#stream = stream
    this.#deleted = skipsDeleted ? null : new Map()
  }

  /** @param page for the message if no record has a key */
  async encode(records: readonly JsonObject[], page: number): Promise<readonly RowBatch[]> {
    const { shape, name, api, isDeleted } = this.#stream
    const current = await withWholeLists(
      this.#stream,
      records.filter((record) => !isDeleted(record)),
    )
    if (allLackKeys(shape, current)) {
      const [key = ''] = shape.table.key
      throw misfit({ api, stream: name }, { page, pointer: key, found: undefined, wanted: 'a key in any record' })
    }
    if (this.#deleted !== null)
      for (const record of records) {
        const key = keyOf(shape, record)
        if (isDeleted(record)) this.#deleted.set(key, record)
        else this.#deleted.delete(key)
      }
    return encodeDocuments(shape, current)
  }

  /** The keys that were deleted at last, and forgets them. */
  takeDeletes(): readonly RowBatch[] {
    const records = [...(this.#deleted?.values() ?? [])]
    this.#deleted?.clear()
    return records.length === 0 ? [] : [{ ...encodeKeys(this.#stream.shape, records), deletes: true }]
  }
}
