/** The words in which an API source declares the columns of its tables: where a value stands in the JSON and what it is. */
import type { Column, LogicalType } from '../../ports/model.ts'
import { asDate, asDecimal, asFlag, asGuid, asInstant, asJson, asText } from './canonical.ts'
import type { Json, JsonObject } from './exact-json.ts'

/** Where a row comes from: a node of a document, and its place there. */
export interface Spot {
  readonly document: JsonObject
  readonly node: JsonObject
  /** Which part of the document: `order`, `invoice`. */
  readonly section: string
  /** Which one of several parts alike, from 1; 0 where there is but one. */
  readonly number: number
  /** The row's place among its like, from 1. */
  readonly ordinal: number
}

export interface Field {
  readonly column: Column
  /** The value's canonical text, or null. What cannot be understood stays as it came: the target sets such rows aside. */
  read(spot: Spot): string | null
}

export interface Naming {
  /** The column's name where it is not the key's own in snake case. */
  readonly as?: string
  /** Read from the whole document instead of the row's node. */
  readonly of?: 'document'
  /** Another path to look at where there is nothing at the first. */
  readonly or?: string
  /** Part of the key: never null; an absent text is empty. */
  readonly key?: true
}

export type Reading = (value: Json) => string | null

export const guid = (path: string, naming?: Naming): Field => field(path, { kind: 'guid' }, asGuid, naming)
export const text = (path: string, maxLength?: number, naming?: Naming): Field =>
  field(
    path,
    maxLength === undefined ? { kind: 'text' } : { kind: 'text', maxLength },
    naming?.key ? (value) => asText(value) ?? '' : asText,
    naming,
  )
/** Amounts, prices, costs and quantities alike. */
export const money = (path: string, naming?: Naming): Field =>
  field(path, { kind: 'decimal', precision: 19, scale: 6 }, asDecimal, naming)
export const rate = (path: string, naming?: Naming): Field =>
  field(path, { kind: 'decimal', precision: 20, scale: 10 }, asDecimal, naming)
export const whole = (path: string, naming?: Naming): Field =>
  field(path, { kind: 'integer', bytes: 4 }, asDecimal, naming)
export const flag = (path: string, naming?: Naming): Field => field(path, { kind: 'boolean' }, asFlag, naming)
export const day = (path: string, naming?: Naming): Field => field(path, { kind: 'date' }, asDate, naming)
export const moment = (path: string, naming?: Naming): Field =>
  field(path, { kind: 'instant', digits: 3 }, asInstant, naming)
export const tree = (path: string, naming?: Naming): Field => field(path, { kind: 'json' }, asJson, naming)

/** The row's place, as key columns. */
export const section: Field = {
  column: { name: 'section', type: { kind: 'text', maxLength: 20 }, nullable: false },
  read: (spot) => spot.section,
}
export const sectionNumber: Field = {
  column: { name: 'section_no', type: { kind: 'integer', bytes: 4 }, nullable: false },
  read: (spot) => String(spot.number),
}
export const ordinal: Field = {
  column: { name: 'ordinal', type: { kind: 'integer', bytes: 4 }, nullable: false },
  read: (spot) => String(spot.ordinal),
}

/** `AdditionalAttribute1` to `…10`: one field for each. */
export function numbered(path: string, count: number, make: (path: string) => Field): Field[] {
  return Array.from({ length: count }, (_, index) => make(`${path}${index + 1}`))
}

/** A value that is read in the source's own way. */
export function field(path: string, type: LogicalType, reading: Reading, naming: Naming = {}): Field {
  const find = naming.or === undefined ? finder(path) : either(finder(path), finder(naming.or))
  const column = { name: naming.as ?? snake(path), type, nullable: naming.key !== true }
  const read: Field['read'] =
    naming.of === 'document' ? ({ document }) => reading(find(document)) : ({ node }) => reading(find(node))
  return { column, read }
}

function either(first: Finder, second: Finder): Finder {
  return (node) => first(node) ?? second(node)
}

type Finder = (node: JsonObject) => Json
function finder(path: string): Finder {
  const [first = '', ...rest] = path.split('.')
  if (rest.length === 0) return (node) => member(node, first)
  const deeper = finder(rest.join('.'))
  return (node) => {
    const inner = member(node, first)
    return isObject(inner) ? deeper(inner) : null
  }
}

/** The value of a key, in whatever upper and lower case the API writes it today; null if absent. */
export function member(node: JsonObject, key: string): Json {
  const exact = node[key]
  if (exact !== undefined) return exact
  const wanted = key.toLowerCase()
  for (const name in node) if (name.length === wanted.length && name.toLowerCase() === wanted) return node[name] ?? null
  return null
}

/** The objects of a list; one object alone counts as a list of one, anything else as an empty list. */
export function members(node: Json, key: string): readonly JsonObject[] {
  const value = isObject(node) ? member(node, key) : null
  if (Array.isArray(value)) return (value as readonly Json[]).filter(isObject)
  return isObject(value) ? [value] : []
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function snake(path: string): string {
  return path
    .replaceAll('.', '_')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
}
