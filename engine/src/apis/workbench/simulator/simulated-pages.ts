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
  const size =
    'size' in paging && paging.size !== undefined ? Number(parameter(paging.size.parameter) ?? rowsMax) : rowsMax
  const rows = Math.max(1, Math.min(rowsMax, size))
  const total = 'total' in paging && paging.total !== undefined ? { [paging.total]: items.length } : {}
  switch (paging.kind) {
    case 'none':
      return { items, members: {} }
    case 'nextLink': {
      const { page, next } = after(items, parameter(positionParameter), rows)
      return { items: page, members: { ...total, [paging.at]: next === null ? null : linkTo(url, next) } }
    }
    case 'linkHeader': {
      const { page, next } = after(items, parameter(positionParameter), rows)
      return { items: page, members: {}, ...(next !== null && { link: `<${linkTo(url, next)}>; rel="next"` }) }
    }
    case 'pageNumber': {
      const number = Number(parameter(paging.parameter) ?? paging.first) - paging.first
      return { items: items.slice(number * rows, (number + 1) * rows), members: total }
    }
    case 'offset': {
      const from = Number(parameter(paging.parameter) ?? 0)
      return { items: items.slice(from, from + rows), members: total }
    }
    case 'cursor': {
      const { page, next } = after(items, parameter(paging.parameter), rows)
      return { items: page, members: { [paging.at]: next, ...moreFlag(paging.more, next) } }
    }
    case 'keyset': {
      const key = parameter(paging.parameter)
      const before = key === null ? null : findByKey(paging.at, key)
      if (before === undefined) return 'gone'
      const { page, next } = after(items, before === null ? null : positionOf(before), rows)
      return { items: page, members: moreFlag(paging.more, next) }
    }
  }
}

function moreFlag(pointer: string | undefined, next: string | null): Readonly<Record<string, SimulatedJson>> {
  return pointer === undefined ? {} : { [pointer]: next !== null }
}

function after(
  items: readonly ListItem[],
  position: string | null,
  rows: number,
): { readonly page: readonly ListItem[]; readonly next: string | null } {
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
