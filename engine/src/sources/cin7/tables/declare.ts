/** How a list of Cin7 Core and the details behind it are declared. */
import type { JsonObject } from '../../../http/exact-json.ts'
import { member, members } from '../../../http/fields.ts'
import type { Spot } from '../../../http/fields.ts'
import type { DocumentShape } from '../../../http/documents.ts'

export interface List {
  readonly path: string
  /** The key of the rows in the answer. */
  readonly rows: string
  readonly limit: number
  /** What is always asked for. */
  readonly query?: Readonly<Record<string, string>>
  /** The filter for what changed since a moment; absent where Cin7 has none. */
  readonly since?: 'UpdatedSince' | 'ModifiedSince'
}

export interface ListStream {
  readonly kind: 'list'
  readonly name: string
  readonly list: List
  readonly shape: DocumentShape
}

/** One call for each document that the list says has changed. */
export interface DetailStream {
  readonly kind: 'details'
  readonly name: string
  readonly list: List
  readonly shape: DocumentShape
  /** For people: `sales`. */
  readonly noun: string
  readonly id: string
  readonly changed: string
  /** The path that answers this row's document. */
  pathOf(row: JsonObject): string
}

export type Cin7Stream = ListStream | DetailStream

/** The rows of a list within the document. */
export function within(key: string): (document: JsonObject) => Spot[] {
  return (document) => spots(document, members(document, key), { section: key.toLowerCase(), number: 0 })
}

export interface Part {
  readonly section: string
  readonly number: number
  readonly node: JsonObject
}

/** The rows of a list within each of several parts of the document. */
export function withinParts(parts: (document: JsonObject) => readonly Part[], key: string): (document: JsonObject) => Spot[] {
  return (document) => parts(document).flatMap((part) => spots(document, members(part.node, key), part))
}

export function asPart(section: string, document: JsonObject, key: string): Part[] {
  return members(document, key).map((node) => ({ section, number: 0, node }))
}

export function asParts(section: string, document: JsonObject, key: string): Part[] {
  return members(document, key).map((node, index) => ({ section, number: index + 1, node }))
}

/** The parts themselves as rows. */
export function theParts(section: string, key: string): (document: JsonObject) => Spot[] {
  return (document) => asParts(section, document, key).map((part) => ({ ...part, document, ordinal: part.number }))
}

function spots(document: JsonObject, nodes: readonly JsonObject[], place: { section: string; number: number }): Spot[] {
  return nodes.map((node, index) => ({ document, node, section: place.section, number: place.number, ordinal: index + 1 }))
}

export function textOf(row: JsonObject, key: string): string {
  const value = member(row, key)
  return typeof value === 'string' ? value : ''
}
