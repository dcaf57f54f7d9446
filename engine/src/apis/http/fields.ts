/** Field kinds with which an API source declares its columns: where a value is in the JSON, and its type. */
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
  /** The column's name, if it is not the path in snake case. */
  readonly as?: string
  /** Read from the whole document instead of the row's node. */
  readonly of?: 'document'
  /** A second path, read if the first has no value. */
  readonly or?: string
  /** Part of the key: never null; a missing text is empty. */
  readonly key?: true
}

/** A kind of value: makes the field for a path. */
export type FieldKind = (path: string, naming?: FieldNaming) => FieldMapping

/** The columns of a table in their order: the kind of the value at each path. */
export type Fields = Readonly<Record<string, FieldKind>>

export const guid = fieldKind({ kind: 'guid' }, asGuid)
export const text = fieldKind({ kind: 'text' }, asText)
export const textUpTo = (maxLength: number): FieldKind => fieldKind({ kind: 'text', maxLength }, asText)
/** Amounts, prices, costs and quantities. */
export const money = fieldKind({ kind: 'decimal', precision: 19, scale: 6 }, asDecimal)
export const rate = fieldKind({ kind: 'decimal', precision: 20, scale: 10 }, asDecimal)
export const integer = fieldKind({ kind: 'integer', bytes: 4 }, asDecimal)
export const flag = fieldKind({ kind: 'boolean' }, asFlag)
export const day = fieldKind({ kind: 'date' }, asDate)
export const instant = fieldKind({ kind: 'instant', digits: 3 }, asInstant)
export const json = fieldKind({ kind: 'json' }, asJson)

/** The row's position, as key columns. They are not in the JSON, so their paths are ignored. */
export const section: FieldKind = () => ({
  column: { name: 'section', type: { kind: 'text', maxLength: 20 }, nullable: false },
  read: (spot) => spot.section,
})
export const sectionNumber = positionKind('section_no', ({ number }) => number)
export const ordinal = positionKind('ordinal', (spot) => spot.ordinal)

export function positionKind(name: string, position: (spot: RowContext) => number): FieldKind {
  return () => ({
    column: { name, type: { kind: 'integer', bytes: 4 }, nullable: false },
    read: (spot) => String(position(spot)),
  })
}

/** Makes the field part of the key. */
export function keyed(kind: FieldKind): FieldKind {
  return (path, naming) => kind(path, { ...naming, key: true })
}

/** Names the column, where it is not the path in snake case. */
export function named(as: string, kind: FieldKind): FieldKind {
  return (path, naming) => kind(path, { ...naming, as })
}

/** Reads another path where the first has no value. */
export function orElse(or: string, kind: FieldKind): FieldKind {
  return (path, naming) => kind(path, { ...naming, or })
}

/** The same fields at paths that begin with `prefix`: `Order.` for those of a nested object. */
export function prefixed(prefix: string, fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).map(([path, kind]) => [`${prefix}${path}`, kind]))
}

/** One field for each of `AdditionalAttribute1` to `…10`. */
export function numbered(path: string, count: number, kind: FieldKind): Fields {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${path}${index + 1}`, kind]))
}

/** A kind with a converter of the caller's choice. */
export function fieldKind(type: LogicalType, convert: (value: ExactJson) => string | null): FieldKind {
  return (path, naming = {}) => {
    const find =
      naming.or === undefined ? createFinder(path) : firstPresent(createFinder(path), createFinder(naming.or))
    const valueOf = naming.key && type.kind === 'text' ? (value: ExactJson): string => convert(value) ?? '' : convert
    return {
      column: { name: naming.as ?? toSnakeCase(path), type, nullable: naming.key !== true, sourceField: path },
      read: naming.of === 'document' ? ({ document }) => valueOf(find(document)) : ({ node }) => valueOf(find(node)),
    }
  }
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

export function toSnakeCase(path: string): string {
  return path
    .replaceAll('.', '_')
    .replaceAll(/(\p{Ll}|\d)(\p{Lu})/gu, '$1_$2')
    .replaceAll(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .toLowerCase()
}
