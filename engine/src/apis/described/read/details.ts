/** Documents that are read one by one, because their list does not have all of them. */
import { Fault } from '../../../ports/faults.ts'
import type { ExactJson, JsonObject } from '../../http/exact-json.ts'
import { isObject } from '../../http/fields.ts'
import { misfit } from '../calls.ts'
import { columnPointer, columnOf } from '../columns.ts'
import { recordGone } from '../connection.ts'
import { fillPlaceholders, placeholdersIn } from '../description/placeholders.ts'
import type { DetailDescription } from '../description/schema.ts'
import { pointerReader } from '../pointer.ts'
import { type DescribedStream, textsOf } from './described-stream.ts'

/** What the path of a document needs of its record in the list. */
export type DetailKey = Readonly<Record<string, string>>

export function detailKeys(stream: DescribedStream, records: readonly JsonObject[]): readonly DetailKey[] {
  const { detail, columns } = stream.description
  if (detail === undefined) return []
  const finders = placeholdersIn(detail.path).flatMap((name) => {
    const column = columns[name]
    return column === undefined ? [] : [{ name, find: pointerReader(columnPointer(name, columnOf(column))) }]
  })
  return records.map((record, index) =>
    Object.fromEntries(
      finders.map(({ name, find }) => {
        const value = find(record)
        if (typeof value === 'string' || typeof value === 'number') return [name, String(value)]
        const pointer = `${stream.description.records}/${index}`
        throw misfit(
          { api: stream.api, stream: stream.name },
          { page: 1, pointer, found: value, wanted: `a value of ${name}` },
        )
      }),
    ),
  )
}

/** @returns null if the document is gone by now */
export async function readDetail(
  stream: DescribedStream,
  detail: DetailDescription,
  key: DetailKey,
): Promise<JsonObject | null> {
  const { api, name } = stream
  const path = fillPlaceholders(detail.path, (part) =>
    key[part] === undefined ? undefined : encodeURIComponent(key[part]),
  )
  let reply: ExactJson
  try {
    reply = (await api.get(api.withSettings({ path, query: textsOf(detail.query) }))).json
  } catch (error) {
    if (error instanceof Fault && error.code === `${api.code}.${recordGone}`) return null
    throw error
  }
  const record = pointerReader(detail.record)(reply)
  if (isObject(record)) return record
  throw misfit(
    { api, stream: name },
    { page: 1, pointer: detail.record, found: record, wanted: `the record ${Object.values(key).join(', ')}` },
  )
}

/** The documents of the records, for a read that starts over if it is interrupted. */
export async function withDetails(
  stream: DescribedStream,
  records: readonly JsonObject[],
): Promise<readonly JsonObject[]> {
  const { detail } = stream.description
  if (detail === undefined) return records
  const documents: JsonObject[] = []
  for (const key of detailKeys(stream, records)) {
    const document = await readDetail(stream, detail, key)
    if (document !== null) documents.push(document)
  }
  return documents
}
