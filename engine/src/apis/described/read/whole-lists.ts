/** Completes lists within records: some APIs give only the first rows of a list, and the others by calls of their own. */
import { Fault } from '../../../ports/faults.ts'
import type { ExactJson, JsonObject } from '../../http/exact-json.ts'
import { isObject } from '../../http/fields.ts'
import type { Call } from '../calls.ts'
import { recordGone } from '../connection.ts'
import type { ContinuedList } from '../description/schema.ts'
import { walkPages } from '../paging.ts'
import { partsOf, pointerReader } from '../pointer.ts'
import { type DescribedStream, textsOf } from './described-stream.ts'
import { fillKey, keyTexts } from './details.ts'

/** The records with whole lists. A record that was deleted meanwhile is left out. */
export async function withWholeLists(
  stream: DescribedStream,
  records: readonly JsonObject[],
): Promise<readonly JsonObject[]> {
  const lists = Object.entries(stream.description.children ?? {}).flatMap(([child, { records: at, continued }]) =>
    continued === undefined ? [] : [{ child, at, continued }],
  )
  if (lists.length === 0) return records
  const complete: JsonObject[] = []
  for (const record of records) {
    let whole: JsonObject | null = record
    for (const list of lists) if (whole !== null) whole = await completed(stream, whole, list)
    if (whole !== null) complete.push(whole)
  }
  return complete
}

interface WithinRecord {
  readonly child: string
  readonly at: string
  readonly continued: ContinuedList
}

async function completed(
  stream: DescribedStream,
  record: JsonObject,
  { child, at, continued }: WithinRecord,
): Promise<JsonObject | null> {
  if (pointerReader(continued.when)(record) !== true) return record
  try {
    return withValueAt(record, partsOf(at), await readList(stream, record, { child, at, continued }))
  } catch (error) {
    if (error instanceof Fault && error.code === `${stream.api.code}.${recordGone}`) return null
    throw error
  }
}

async function readList(
  { api, paging, description }: DescribedStream,
  record: JsonObject,
  { child, continued }: WithinRecord,
): Promise<readonly JsonObject[]> {
  const open = api.withSettings({ path: continued.path, query: textsOf(continued.query) })
  const texts = [open.path, ...Object.values(open.query)]
  const key = keyTexts({ api, name: child, columns: description.columns }, texts, record)
  const query = Object.entries(open.query).map(([name, value]) => [name, fillKey(value, key, String)])
  const call: Call = { path: fillKey(open.path, key, encodeURIComponent), query: Object.fromEntries(query) }
  const list = { api, stream: child, records: continued.records, keyOf: (row: JsonObject) => JSON.stringify(row) }
  let rows: JsonObject[] = []
  for await (const page of walkPages({ list, call, paging: continued.paging ?? paging, from: null })) {
    if (page.isRestart) rows = []
    rows.push(...page.records)
  }
  return rows
}

function withValueAt(record: JsonObject, [part = '', ...rest]: readonly string[], value: ExactJson): JsonObject {
  const inner = record[part]
  return { ...record, [part]: rest.length === 0 ? value : withValueAt(isObject(inner) ? inner : {}, rest, value) }
}
