/** A stream of an open description, and what every way to read it shares. */
import { keyOf } from '../../http/documents.ts'
import type { JsonObject } from '../../http/exact-json.ts'
import type { Call, DescribedApi, Query, RecordList } from '../calls.ts'
import type { Paging } from '../description/schema-paging.ts'
import type { StreamDescription } from '../description/schema.ts'
import { pointerReader } from '../pointer.ts'
import type { DocumentShape } from '../../http/documents.ts'

export interface DescribedStream {
  readonly name: string
  readonly api: DescribedApi
  readonly description: StreamDescription
  readonly shape: DocumentShape
  readonly paging: Paging
  /** Whether replies without records have no list. */
  readonly omitsEmptyLists: boolean
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

export function listOf(
  { api, name, description, shape, omitsEmptyLists }: DescribedStream,
  records = description.records,
): RecordList {
  const hasKey = shape.table.key.length > 0
  return {
    api,
    stream: name,
    records,
    mayBeOmitted: omitsEmptyLists,
    grid: description.grid,
    keyOf: hasKey ? (record) => keyOf(shape, record) : (record) => JSON.stringify(record),
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
