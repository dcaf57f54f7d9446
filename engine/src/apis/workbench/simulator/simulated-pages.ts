/** Divides a simulated list into pages as a description says. */
import type { Paging } from '../../described/description/schema-paging.ts'
import { type SimulatedJson, type SimulatedObject, valueAt } from './simulated-json.ts'

export interface ListItem {
  /** Sorts the list: by it and then by id. */
  readonly at: number
  readonly id: number
  readonly json: SimulatedObject
}

export interface PageRequest {
  readonly paging: Paging
  readonly url: URL
  /** Sorted. */
  readonly items: readonly ListItem[]
  /** Finds the item that a key names, also if it is deleted; undefined if the API refuses that. */
  findByKey(pointer: string, value: string): ListItem | undefined
}

export interface SimulatedPage {
  readonly items: readonly ListItem[]
  /** Values of the reply by JSON Pointer. */
  readonly members: Readonly<Record<string, SimulatedJson>>
  readonly link?: string
}

/** Small, so that few records fill many pages. APIs may give smaller pages than asked for. */
const rowsMax = 7
const positionParameter = 'simulated_position'

/** @returns `gone` if the page should begin after a record that the API no longer has */
export function pageOf({ paging, url, items, findByKey }: PageRequest): SimulatedPage | 'gone' {
  const parameter = (name: string): string | null => url.searchParams.get(name)
  const rows = rowsOf(paging, url)
  switch (paging.kind) {
    case 'none':
      return { items, members: {} }
    case 'nextLink':
    case 'linkHeader':
      return linkedPage(paging, url, after(items, parameter(positionParameter), rows), items.length)
    case 'pageNumber':
    case 'offset':
      return countedPage(paging, url, items)
    case 'statement':
      return statementPage(paging, parameter(paging.parameter) ?? '', items)
    case 'cursor': {
      const { page, next } = after(items, parameter(paging.parameter), rows)
      return { items: page, members: { [paging.at]: next, ...moreFlag(paging.more, next) } }
    }
    case 'keyset':
      return keyPage(paging, parameter(paging.parameter), { paging, url, items, findByKey })
  }
}

function keyPage(
  { at, more }: Paging & { readonly kind: 'keyset' },
  key: string | null,
  { paging, url, items, findByKey }: PageRequest,
): SimulatedPage | 'gone' {
  const before = key === null ? null : findByKey(at, key)
  if (before === undefined) return 'gone'
  const { page, next } = after(items, before === null ? null : positionOf(before), rowsOf(paging, url))
  return { items: page, members: moreFlag(more, next) }
}

function rowsOf(paging: Paging, url: URL): number {
  if (!('size' in paging) || paging.size === undefined) return rowsMax
  return Math.max(1, Math.min(rowsMax, Number(url.searchParams.get(paging.size.parameter) ?? rowsMax)))
}

function totalOf(paging: Paging, total: number): Readonly<Record<string, SimulatedJson>> {
  return 'total' in paging && paging.total !== undefined ? { [paging.total]: total } : {}
}

function linkedPage(
  paging: Paging & { readonly kind: 'nextLink' | 'linkHeader' },
  url: URL,
  { page, next }: PagePart,
  total: number,
): SimulatedPage {
  const link = next === null ? null : linkTo(url, next)
  if (paging.kind === 'nextLink') return { items: page, members: { ...totalOf(paging, total), [paging.at]: link } }
  return { items: page, members: {}, ...(link !== null && { link: `<${link}>; rel="next"` }) }
}

function countedPage(
  paging: Paging & { readonly kind: 'pageNumber' | 'offset' },
  url: URL,
  items: readonly ListItem[],
): SimulatedPage {
  const rows = rowsOf(paging, url)
  const first = paging.kind === 'offset' ? 0 : paging.first
  const number = Number(url.searchParams.get(paging.parameter) ?? first) - first
  const from = paging.kind === 'offset' ? number : number * rows
  return { items: items.slice(from, from + rows), members: totalOf(paging, items.length) }
}

/** The number where the template has the placeholder: the last one after the words in front of it. */
function numberIn(statement: string, template: string, placeholder: string, otherwise: number): number {
  const before = (template.split(placeholder)[0] ?? '').split('}').at(-1) ?? ''
  const [, digits] = /^(\d+)/u.exec(statement.slice(statement.lastIndexOf(before) + before.length)) ?? []
  return digits === undefined ? otherwise : Number(digits)
}

/** The statement ends with the position and the number of rows. */
function statementPage(
  { text, first }: Paging & { readonly kind: 'statement' },
  statement: string,
  items: readonly ListItem[],
): SimulatedPage {
  const from = numberIn(statement, text, '{position}', first) - first
  const rows = Math.min(rowsMax, numberIn(statement, text, '{rows}', rowsMax))
  return { items: items.slice(from, from + rows), members: {} }
}

interface PagePart {
  readonly page: readonly ListItem[]
  /** The position of the next page; null after the last one. */
  readonly next: string | null
}

function moreFlag(pointer: string | undefined, next: string | null): Readonly<Record<string, SimulatedJson>> {
  return pointer === undefined ? {} : { [pointer]: next !== null }
}

function after(items: readonly ListItem[], position: string | null, rows: number): PagePart {
  const [at = -Infinity, id = -Infinity] = position === null ? [] : position.split('_').map(Number)
  const rest = items.filter((item) => item.at > at || (item.at === at && item.id > id))
  const page = rest.slice(0, rows)
  const last = page.at(-1)
  return { page, next: last === undefined || rest.length <= rows ? null : positionOf(last) }
}

function positionOf({ at, id }: ListItem): string {
  return `${at}_${id}`
}

function linkTo(url: URL, position: string): string {
  const next = new URL(url)
  next.searchParams.set(positionParameter, position)
  return next.href
}

export function hasKey(item: ListItem, pointer: string, value: string): boolean {
  const found = valueAt(item.json, pointer)
  return found !== undefined && found !== null && String(found) === value
}

/** Whether a call continues a list. */
export function isContinued(url: URL, paging: Paging): boolean {
  if (url.searchParams.has(positionParameter)) return true
  if (paging.kind === 'cursor' || paging.kind === 'keyset') return url.searchParams.has(paging.parameter)
  if (paging.kind === 'offset') return Number(url.searchParams.get(paging.parameter) ?? 0) > 0
  return paging.kind === 'pageNumber' && Number(url.searchParams.get(paging.parameter) ?? 0) > paging.first
}
