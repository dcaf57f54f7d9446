/** Field builders with which an API source declares its columns: where a value is in the JSON, and its type. */
import type { Column, LogicalType } from '../../ports/model.ts'
import { asDate, asDecimal, asFlag, asGuid, asInstant, asJson, asText } from './canonical-text.ts'
import type { ExactJson, JsonObject } from './exact-json.ts'

/** The JSON node that a row is read from, and its position in the document. */
export interface RowContext {
  readonly document: JsonObject
  readonly node: JsonObject
  /** The section of the document: `order`, `invoice`. */
  readonly section: string
  /** Index among several sections of the same kind, from 1; 0 if there can be only one. */
  readonly number: number
  /** The row's index within its section, from 1. */
  readonly ordinal: number
}

export interface FieldMapping {
  readonly column: Column
  /**
   * Returns the value's canonical text, or null. Unparsable values are passed through, so that the target rejects the
   * row.
   */
  read(spot: RowContext): string | null
}

export interface FieldNaming {
  /** The column's name, if it is not the path in toSnakeCase case. */
  readonly as?: string
  /** Read from the whole document instead of the row's node. */
  readonly of?: 'document'
  /** A second path, read if the first has no value. */
  readonly or?: string
  /** Part of the key: never null; a missing text is empty. */
  readonly key?: true
}

export type ValueConverter = (value: ExactJson) => string | null

export const guid = (path: string, naming?: FieldNaming): FieldMapping => field(path, { kind: 'guid' }, asGuid, naming)
export const text = (path: string, maxLength?: number, naming?: FieldNaming): FieldMapping =>
  field(
    path,
    maxLength === undefined ? { kind: 'text' } : { kind: 'text', maxLength },
    naming?.key ? (value) => asText(value) ?? '' : asText,
    naming,
  )
/** Amounts, prices, costs and quantities. */
export const money = (path: string, naming?: FieldNaming): FieldMapping =>
  field(path, { kind: 'decimal', precision: 19, scale: 6 }, asDecimal, naming)
export const rate = (path: string, naming?: FieldNaming): FieldMapping =>
  field(path, { kind: 'decimal', precision: 20, scale: 10 }, asDecimal, naming)
export const integer = (path: string, naming?: FieldNaming): FieldMapping =>
  field(path, { kind: 'integer', bytes: 4 }, asDecimal, naming)
export const flag = (path: string, naming?: FieldNaming): FieldMapping =>
  field(path, { kind: 'boolean' }, asFlag, naming)
export const day = (path: string, naming?: FieldNaming): FieldMapping => field(path, { kind: 'date' }, asDate, naming)
export const instant = (path: string, naming?: FieldNaming): FieldMapping =>
  field(path, { kind: 'instant', digits: 3 }, asInstant, naming)
export const json = (path: string, naming?: FieldNaming): FieldMapping => field(path, { kind: 'json' }, asJson, naming)

/** The row's position, as key columns. */
export const section: FieldMapping = {
  column: { name: 'section', type: { kind: 'text', maxLength: 20 }, nullable: false },
  read: (spot) => spot.section,
}
export const sectionNumber: FieldMapping = {
  column: { name: 'section_no', type: { kind: 'integer', bytes: 4 }, nullable: false },
  read: (spot) => String(spot.number),
}
export const ordinal: FieldMapping = {
  column: { name: 'ordinal', type: { kind: 'integer', bytes: 4 }, nullable: false },
  read: (spot) => String(spot.ordinal),
}

/** One field for each of `AdditionalAttribute1` to `…10`. */
export function numberedFields(path: string, count: number, make: (path: string) => FieldMapping): FieldMapping[] {
  return Array.from({ length: count }, (_, index) => make(`${path}${index + 1}`))
}

/** A field with a converter of the caller's choice. */
export function field(
  path: string,
  type: LogicalType,
  convert: ValueConverter,
  naming: FieldNaming = {},
): FieldMapping {
  const find = naming.or === undefined ? createFinder(path) : firstPresent(createFinder(path), createFinder(naming.or))
  const column = { name: naming.as ?? toSnakeCase(path), type, nullable: naming.key !== true }
  const read: FieldMapping['read'] =
    naming.of === 'document' ? ({ document }) => convert(find(document)) : ({ node }) => convert(find(node))
  return { column, read }
}

function firstPresent(first: ValueFinder, second: ValueFinder): ValueFinder {
  return (node) => first(node) ?? second(node)
}

type ValueFinder = (node: JsonObject) => ExactJson
function createFinder(path: string): ValueFinder {
  const [first = '', ...rest] = path.split('.')
  if (rest.length === 0) return (node) => readMember(node, first)
  const deeper = createFinder(rest.join('.'))
  return (node) => {
    const inner = readMember(node, first)
    return isObject(inner) ? deeper(inner) : null
  }
}

/** Returns a key's value, ignoring the key's case because APIs change it; null if absent. */
export function readMember(node: JsonObject, key: string): ExactJson {
  const exact = node[key]
  if (exact !== undefined) return exact
  const lowerCaseKey = key.toLowerCase()
  for (const name in node)
    if (name.length === lowerCaseKey.length && name.toLowerCase() === lowerCaseKey) return node[name] ?? null
  return null
}

/** Returns the objects of a list. A single object counts as a list of one, anything else as empty. */
export function readMembers(node: ExactJson, key: string): readonly JsonObject[] {
  const value = isObject(node) ? readMember(node, key) : null
  if (Array.isArray(value)) return (value as readonly ExactJson[]).filter(isObject)
  return isObject(value) ? [value] : []
}

export function isObject(value: ExactJson | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function toSnakeCase(path: string): string {
  return path
    .replaceAll('.', '_')
    .replace(/([a-z0-9])([A-Z])/g, '$1_$2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1_$2')
    .toLowerCase()
}
