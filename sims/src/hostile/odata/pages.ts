/** A page of the hostile OData service. */
import type { HostileDocument } from '../documents.ts'
import { filterOf, type HostileRow, rowJson, rowOf } from './query.ts'

export interface PageQuestion {
  readonly url: URL
  readonly pageSize: number
  readonly links: 'byKey' | 'byCount' | 'none'
  /** The link of the next page is that of the first one. */
  readonly leadsBack: boolean
  /** The caller wants the changes from now on. */
  readonly tracks: boolean
  /** Of the links. */
  readonly generation: string
  readonly undeclared?: boolean
  /** The number of changes so far. */
  readonly changes: number
}

export function pageJson(documents: readonly HostileDocument[], question: PageQuestion): string {
  const { url, pageSize } = question
  const ask = (name: string): string | null => url.searchParams.get(name)
  const found = documents.map(rowOf).filter(filterOf(ask('$filter')))
  const rest = restOf(orderedRows(found, ask('$orderby')), url)
  const top = ask('$top') === null ? Infinity : Number(ask('$top'))
  // As services do, it gives smaller pages than asked for.
  const rows = rest.slice(0, Math.min(top, pageSize))
  const isLast = question.links === 'none' || rows.length >= Math.min(rest.length, top)
  const select = ask('$select')
  const form = {
    properties: select === null ? null : new Set(select.split(',')),
    undeclared: question.undeclared === true,
    ...(ask('$expand') === 'Parts' && { partsAt: url.origin + url.pathname }),
  }
  const members = [
    `"value":[${rows.map((row) => rowJson(row, form)).join(',')}]`,
    ...(ask('$count') === 'true' ? [`"@odata.count":${found.length}`] : []),
    ...linkMembers(question, isLast ? null : rows),
  ]
  return `{${members.join(',')}}`
}

/** The rows from the page on. */
function restOf(rows: readonly HostileRow[], url: URL): readonly HostileRow[] {
  const after = url.searchParams.get('$skiptoken')
  if (after !== null) return rows.filter(({ Id }) => Id > Number(after))
  return rows.slice(Number(url.searchParams.get('$skip') ?? 0))
}

/** @param rows of the page; null: it is the last one */
function linkMembers(question: PageQuestion, rows: readonly HostileRow[] | null): readonly string[] {
  const { url, tracks, changes } = question
  const tracked = url.searchParams.get('$tracks')
  if (rows !== null) return [`"@odata.nextLink":${JSON.stringify(nextLink(question, rows))}`]
  if (!tracks && tracked === null) return []
  // What happens while the list is read is reported again.
  const link = new URL(url.origin + url.pathname)
  link.searchParams.set('$deltatoken', tracked ?? String(changes))
  return [`"@odata.deltaLink":${JSON.stringify(link.href)}`]
}

function nextLink({ url, links, leadsBack, changes, generation }: PageQuestion, rows: readonly HostileRow[]): string {
  const next = new URL(url)
  next.searchParams.set('$tracks', url.searchParams.get('$tracks') ?? String(changes))
  next.searchParams.set('$generation', generation)
  next.searchParams.delete('$skiptoken')
  next.searchParams.delete('$skip')
  if (leadsBack) return next.href
  if (links === 'byKey') next.searchParams.set('$skiptoken', String(rows.at(-1)?.Id ?? 0))
  else next.searchParams.set('$skip', String(Number(url.searchParams.get('$skip') ?? 0) + rows.length))
  return next.href
}

function orderedRows(rows: readonly HostileRow[], order: string | null): readonly HostileRow[] {
  const [property = 'Id', direction = 'asc'] = (order ?? 'Id asc').split(' ')
  const sign = direction === 'desc' ? -1 : 1
  const valueOf = (row: HostileRow): number => (property === 'Modified' ? Date.parse(row.Modified) : row.Id)
  return rows.toSorted((one, other) => sign * (valueOf(one) - valueOf(other)) || one.Id - other.Id)
}
