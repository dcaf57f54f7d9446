/** The records of replies. */
import type { ExactJson, JsonObject } from '../http/exact-json.ts'
import { isObject } from '../http/fields.ts'
import { misfit, type RecordList } from './calls.ts'
import { gridRecords } from './grid.ts'
import { pointerReader } from './pointer.ts'

/**
 * The records of a reply.
 * @param page from 1
 * @throws Fault `data` that names stream, page and pointer, if the reply has no list there
 */
export function recordsOf(
  { api, stream, records, mayBeOmitted = false, grid }: RecordList,
  page: number,
  reply: ExactJson,
): readonly JsonObject[] {
  if (reply === null) return []
  const list = pointerReader(records)(reply)
  if (list === undefined && mayBeOmitted && isObject(pointerReader(parentOf(records))(reply) ?? null)) return []
  if (isObject(list) && records === '') return [list]
  if (!Array.isArray(list))
    throw misfit({ api, stream }, { page, pointer: records, found: list, wanted: 'a list of records' })
  const items = list as readonly ExactJson[]
  const stray = items.findIndex((item) => !isObject(item))
  if (stray !== -1)
    throw misfit({ api, stream }, { page, pointer: `${records}/${stray}`, found: items[stray], wanted: 'a record' })
  const rows = items as readonly JsonObject[]
  return grid === undefined ? rows : gridRecords({ api, stream }, grid, { page, reply, rows })
}

function parentOf(pointer: string): string {
  return pointer.slice(0, pointer.lastIndexOf('/'))
}
