/** Declared columns: where a value is in a record, and its canonical text. A value that does not fit is passed through, so that the target rejects the row with the reason. */
import type { Column, LogicalType } from '../../ports/model.ts'
import { asDecimal, asFlag, asGuid, asJson, asText } from '../http/canonical-text.ts'
import type { ExactJson } from '../http/exact-json.ts'
import type { FieldMapping } from '../http/fields.ts'
import { parseColumnType } from './description/column-type.ts'
import type { ColumnDescription, SharedDescription } from './description/schema.ts'
import { dayText, instantText, timestampText } from './moments.ts'
import { pointerReader, pointerTo } from './pointer.ts'

type ValueText = (value: ExactJson) => string | null

/** A column as it is written in a description: its type alone, or all of it. */
export type WrittenColumn = string | ColumnDescription

export function columnOf(written: WrittenColumn): ColumnDescription {
  return typeof written === 'string' ? { type: written } : written
}

/** Where the values of a column are in a record. */
export function columnPointer(name: string, written: WrittenColumn): string {
  return columnOf(written).at ?? pointerTo(name)
}

interface TableColumn {
  readonly name: string
  readonly written: WrittenColumn
  /** Key columns are never null; a missing text is empty. */
  readonly isKey: boolean
}

export function fieldOf({ name, written, isKey }: TableColumn, { common, maps }: SharedDescription): FieldMapping {
  const described = columnOf(written)
  const type = typeOf(described)
  const at = columnPointer(name, written)
  const find = pointerReader(at)
  const toText = valueText(type, described)
  const mapped = mapReader(described, maps)
  const emptyKey = isKey && type.kind === 'text' ? '' : null
  const emptyValue = described.absent === undefined ? emptyKey : toText(described.absent)
  const about = described.about ?? common?.[name]?.about
  const column: Column = {
    name,
    type,
    nullable: !isKey,
    sourceField: at,
    ...(about !== undefined && { description: about }),
  }
  return { column, read: ({ node }) => toText(mapped(find(node) ?? null)) ?? emptyValue }
}

/** A value that the map does not have, and for which it has no other, is passed through. */
function mapReader({ map }: ColumnDescription, maps: SharedDescription['maps']): (value: ExactJson) => ExactJson {
  const found = map === undefined ? undefined : maps?.[map]
  if (found === undefined) return (value) => value
  const { values, otherwise } = found
  return (value) => {
    const text = asText(value)
    if (text === null) return null
    return Object.hasOwn(values, text) ? (values[text] ?? null) : (otherwise ?? value)
  }
}

export function typeOf({ type }: ColumnDescription): LogicalType {
  const parsed = parseColumnType(type)
  if (parsed === null) throw new TypeError(`A checked description has the type ${type}.`)
  return parsed
}

const texts: { readonly [kind in LogicalType['kind']]?: ValueText } = {
  integer: asDecimal,
  decimal: asDecimal,
  double: asDecimal,
  boolean: asFlag,
  guid: asGuid,
  json: asJson,
}

function valueText(type: LogicalType, { format = 'iso', zone = 'UTC' }: ColumnDescription): ValueText {
  switch (type.kind) {
    case 'date':
      return momentText((text) => dayText(text, format))
    case 'localTimestamp':
      return momentText((text) => timestampText(text, format, type.digits))
    case 'instant':
      return momentText((text) => instantText(text, format, { zone, digits: type.digits }))
    default:
      return texts[type.kind] ?? asText
  }
}

/** An empty text and .NET's missing date are null. */
function momentText(convert: (text: string) => string | null): ValueText {
  return (value) => {
    const text = asText(value)
    if (text === null || text === '' || text.startsWith('0001-01-01')) return null
    return convert(text) ?? text
  }
}
