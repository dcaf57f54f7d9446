/** A stream of an open description, and what every way to read it shares. */
import type { RowBatch } from '../../../ports/model.ts'
import { allLackKeys, encodeDocuments, encodeKeys, keyOf } from '../../http/documents.ts'
import type { JsonObject } from '../../http/exact-json.ts'
import { type Call, type DescribedApi, misfit, type Query, type RecordList } from '../calls.ts'
import type { Paging } from '../description/schema-paging.ts'
import type { StreamDescription } from '../description/schema.ts'
import { pointerReader } from '../pointer.ts'
import type { DescribedShape } from '../shape.ts'

export interface DescribedStream {
  readonly name: string
  readonly api: DescribedApi
  readonly description: StreamDescription
  readonly shape: DescribedShape
  readonly paging: Paging
  /** Whether the API says that the record was deleted. */
  readonly isDeleted: (record: JsonObject) => boolean
}

/** The call of the whole list. @param more parameters of this read, which are sent as they are */
export function listCall({ api, description: { path, query } }: DescribedStream, more: Query = {}): Call {
  const call = api.withSettings({ path, query: textsOf(query) })
  return { ...call, query: { ...call.query, ...more } }
}

/** Parameters of the description. */
export function parametersOf({ api }: DescribedStream, query: Parameters<typeof textsOf>[0]): Query {
  return api.withSettings({ path: '', query: textsOf(query) }).query
}

export function textsOf(parameters: Readonly<Record<string, string | number | boolean>> = {}): Query {
  return Object.fromEntries(Object.entries(parameters).map(([name, value]) => [name, String(value)]))
}

export function listOf({ api, name, description, shape }: DescribedStream, records = description.records): RecordList {
  const hasKey = shape.table.key.length > 0
  return {
    api,
    stream: name,
    records,
    keyOf: hasKey ? (record) => keyOf(shape, record) : (record) => JSON.stringify(record),
  }
}

/**
 * Encodes records and remembers which keys were written and which are deleted, since a read may return a record
 * several times: the last time counts.
 */
export class RecordEncoder {
  readonly #stream: DescribedStream
  /** Null: deleted records are skipped, because nothing of them is in the target yet. */
  readonly #deleted: Map<string, JsonObject> | null
  readonly #unknown = new Set<string>()

  constructor(stream: DescribedStream, { skipsDeleted }: { readonly skipsDeleted: boolean }) {
    this.#stream = stream
    this.#deleted = skipsDeleted ? null : new Map()
  }

  /** @param page for the message if no record has a key */
  async encode(records: readonly JsonObject[], page: number): Promise<readonly RowBatch[]> {
    const { shape, name, api, isDeleted } = this.#stream
    const current = records.filter((record) => !isDeleted(record))
    if (allLackKeys(shape, current)) {
      const [key = ''] = shape.table.key
      throw misfit({ api, stream: name }, { page, pointer: key, found: undefined, wanted: 'a key in any record' })
    }
    for (const record of current) for (const member of shape.unknownMembers(record)) this.#unknown.add(member)
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

  /** A line for the log, if records had members that the description does not know. */
  unknownMembers(): string | null {
    if (this.#unknown.size === 0) return null
    const names = [...this.#unknown].toSorted()
    const { name, description } = this.#stream
    const fate =
      description.rest === undefined ? 'They are not moved' : `They are kept in the column ${description.rest}`
    return `${name} has members that its description does not know: ${names.slice(0, 20).join(', ')}${names.length > 20 ? ', …' : ''}. ${fate}.`
  }
}

export function deletionTest({ deletes }: StreamDescription): (record: JsonObject) => boolean {
  if (deletes?.kind !== 'status') return () => false
  const find = pointerReader(deletes.at)
  const { equals } = deletes
  return (record) => {
    const value = find(record)
    if (value === undefined || value === null) return false
    return equals === undefined || equals.some((wanted) => wanted === value || String(wanted) === String(value))
  }
}
