/** One answer of a list: its rows, and whether more follow. */
import { areNameless } from '../http/documents.ts'
import type { JsonObject } from '../http/exact-json.ts'
import { isObject, member, members } from '../http/fields.ts'
import { always, isWithin, spanQuery } from './spans.ts'
import type { Span } from './spans.ts'
import { unknownShape } from './api.ts'
import type { XeroApi } from './api.ts'
import type { ChangingStream, Dated, WholeStream } from './tables/declare.ts'

export interface Listed {
  readonly rows: readonly JsonObject[]
  readonly isLast: boolean
}

interface Asked {
  readonly number: number
  readonly changedSince?: number | null
  /** Asked of streams that are dated. */
  readonly span?: Span
}

export async function readPage(
  api: XeroApi,
  stream: WholeStream | ChangingStream,
  { number, changedSince = null, span = always }: Asked,
): Promise<Listed> {
  const { name: path, scope, shape } = stream
  const dated = datedOf(stream)
  const query = {
    ...stream.query,
    ...pageQuery(stream, number),
    ...orderQuery(stream),
    ...(dated !== undefined && spanQuery(dated, span)),
  }
  const json = await api.ask({ path, scope, query, changedSince })
  const rows = rowsOf(json, stream)
  if (areNameless(shape, rows)) throw unknownShape(path)
  const wanted = dated?.asked === 'here' ? rows.filter((row) => isWithin(row, dated, span)) : rows
  return { rows: wanted, isLast: isLast(json, stream, { number, count: rows.length }) }
}

/** Without a page Xero gives documents without their lines. */
function pageQuery({ page }: WholeStream | ChangingStream, number: number): Readonly<Record<string, string>> {
  if (page === undefined) return {}
  return { page: String(number), ...(page === 1000 && { pageSize: '1000' }) }
}

function orderQuery(stream: WholeStream | ChangingStream): Readonly<Record<string, string>> {
  return stream.kind === 'changing' && stream.isOrdered ? { order: 'UpdatedDateUTC ASC' } : {}
}

function datedOf(stream: WholeStream | ChangingStream): Dated | undefined {
  return stream.kind === 'changing' ? stream.dated : undefined
}

/** An answer without its list is nothing we know. */
export function rowsOf(
  json: JsonObject,
  { name, rows = name }: { readonly name: string; readonly rows?: string },
): readonly JsonObject[] {
  if (!Array.isArray(member(json, rows))) throw unknownShape(name)
  return members(json, rows)
}

function isLast(
  json: JsonObject,
  { page }: WholeStream | ChangingStream,
  { number, count }: { number: number; count: number },
): boolean {
  if (page === undefined || count === 0) return true
  const pagination = member(json, 'pagination')
  const pages = isObject(pagination) ? member(pagination, 'pageCount') : null
  return typeof pages === 'number' ? number >= pages : count < page
}
