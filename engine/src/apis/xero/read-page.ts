/** Reads one page of a list. */
import { allLackKeys } from '../http/documents.ts'
import type { JsonObject } from '../http/exact-json.ts'
import { isObject, readMember, readMembers } from '../http/fields.ts'
import { always, type DateSpan, isWithin, spanQuery } from './date-spans.ts'
import { unknownFormatFault, type XeroApi } from './api.ts'
import type { ChangingStream, DateFilter, WholeStream } from './tables/stream-kinds.ts'

export interface XeroPage {
  readonly rows: readonly JsonObject[]
  readonly isLast: boolean
  /** Pages and rows of the whole list, if Xero counts them. */
  readonly pages: number | null
  readonly total: number | null
}

interface XeroPageRequest {
  readonly number: number
  readonly changedSince?: number | null
  /** Only for streams with a date filter. */
  readonly span?: DateSpan
}

export async function readPage(
  api: XeroApi,
  stream: WholeStream | ChangingStream,
  { number, changedSince = null, span = always }: XeroPageRequest,
): Promise<XeroPage> {
  const { name: path, scope, shape } = stream
  const dated = datedOf(stream)
  const query = {
    ...stream.query,
    ...pageQuery(stream, number),
    ...orderQuery(stream),
    ...(dated !== undefined && spanQuery(dated, span)),
  }
  const json = await api.get({ path, scope, query, changedSince })
  const rows = rowsOf(json, stream)
  if (allLackKeys(shape, rows)) throw unknownFormatFault(path)
  const matching = dated?.method === 'here' ? rows.filter((row) => isWithin(row, dated, span)) : rows
  const pages = paginationOf(json, 'pageCount')
  return {
    rows: matching,
    isLast: isLast(stream, { number, count: rows.length, pages }),
    pages,
    total: paginationOf(json, 'itemCount'),
  }
}

/** Without a page parameter, Xero omits the lines of documents. */
function pageQuery({ page }: WholeStream | ChangingStream, number: number): Readonly<Record<string, string>> {
  if (page === undefined) return {}
  return { page: String(number), ...(page === 1000 && { pageSize: '1000' }) }
}

function orderQuery(stream: WholeStream | ChangingStream): Readonly<Record<string, string>> {
  return stream.kind === 'changing' && stream.isOrdered ? { order: 'UpdatedDateUTC ASC' } : {}
}

function datedOf(stream: WholeStream | ChangingStream): DateFilter | undefined {
  return stream.kind === 'changing' ? stream.dated : undefined
}

/** A response without its list is an unknown format. */
export function rowsOf(
  json: JsonObject,
  { name, rows = name }: { readonly name: string; readonly rows?: string },
): readonly JsonObject[] {
  if (!Array.isArray(readMember(json, rows))) throw unknownFormatFault(name)
  return readMembers(json, rows)
}

function isLast(
  { page }: WholeStream | ChangingStream,
  { number, count, pages }: { number: number; count: number; pages: number | null },
): boolean {
  if (page === undefined || count === 0) return true
  return pages === null ? count < page : number >= pages
}

function paginationOf(json: JsonObject, name: 'pageCount' | 'itemCount'): number | null {
  const pagination = readMember(json, 'pagination')
  const value = isObject(pagination) ? readMember(pagination, name) : null
  return typeof value === 'number' ? value : null
}
