/** Documents that are read one by one, because their list does not have all of them. */
import { Fault } from '../../../ports/faults.ts'
import type { ExactJson, JsonObject } from '../../http/exact-json.ts'
import { isObject } from '../../http/fields.ts'
import { misfit } from '../calls.ts'
import { columnPointer } from '../columns.ts'
import { recordGone } from '../connection.ts'
import { fillPlaceholders, placeholdersIn } from '../description/placeholders.ts'
import type { DetailDescription, StreamDescription } from '../description/schema.ts'
import { pointerReader } from '../pointer.ts'
import { type DescribedStream, textsOf } from './described-stream.ts'

/** What the path of a document needs of its record in the list. */
export type DetailKey = Readonly<Record<string, string>>

export function detailKeys(stream: DescribedStream, records: readonly JsonObject[]): readonly DetailKey[] {
  const { api, name, description } = stream
  const { detail, columns } = description
  if (detail === undefined) return []
  return records.map((record) => keyTexts({ api, name, columns }, [detail.path], record))
}

interface KeyedColumns extends Pick<DescribedStream, 'api' | 'name'> {
  readonly columns: StreamDescription['columns']
}

/** The values of a record that stand in braces in the texts. */
export function keyTexts(
  { api, name, columns }: KeyedColumns,
  texts: readonly string[],
  record: JsonObject,
): DetailKey {
  const parts = texts.flatMap(placeholdersIn).flatMap((part) => {
    const column = columns[part]
    if (column === undefined) return []
    const pointer = columnPointer(part, column)
    const value = pointerReader(pointer)(record)
    if (typeof value === 'string' || typeof value === 'number') return [[part, String(value)] as const]
    throw misfit({ api, stream: name }, { page: 1, pointer, found: value, wanted: `a value of ${part}` })
  })
  return Object.fromEntries(parts)
}

/** @param write such as the encoding of a part of an address */
export function fillKey(text: string, key: DetailKey, write: (value: string) => string): string {
  return fillPlaceholders(text, (part) => (key[part] === undefined ? undefined : write(key[part])))
}

/** @returns null if the document is gone by now */
export async function readDetail(
  stream: DescribedStream,
  detail: DetailDescription,
  key: DetailKey,
): Promise<JsonObject | null> {
  const { api, name } = stream
  const path = fillKey(detail.path, key, encodeURIComponent)
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
