/** Maps a property of the OData metadata to a column and a converter of its values. */
import type { LogicalType } from '../../../../ports/model.ts'
import { asDate, asDecimal, asFlag, asGuid, asJson, asText } from '../../../http/canonical-text.ts'
import type { ExactJson } from '../../../http/exact-json.ts'
import { type FieldMapping, readMember } from '../../../http/fields.ts'
import type { ODataDescription } from '../../description/schema-odata.ts'
import { dayText, instantText } from '../../moments.ts'
import type { EdmProperty } from './edmx.ts'

export type TypeRules = ODataDescription['types']

interface PropertyMapping {
  readonly type: LogicalType
  readonly read: (value: ExactJson) => string | null
}

type PropertyDescriber = (property: EdmProperty, rules: TypeRules) => PropertyMapping | null

const integerOf =
  (bytes: 2 | 4 | 8): PropertyDescriber =>
  ({ name }, { bigints = [], numbers }) => ({
    type: { kind: 'integer', bytes: bigints.includes(name) ? 8 : bytes },
    read: numbers === 'grouped' ? asGroupedInteger : asDecimal,
  })
const amount: PropertyDescriber = (property, { numbers }) => ({
  type: decimal(property),
  read: numbers === 'grouped' ? asGroupedNumber : asDecimal,
})
const day: PropertyMapping = { type: { kind: 'date' }, read: asDay }
const text: PropertyDescriber = ({ maxLength }) => ({
  type: maxLength === null ? { kind: 'text' } : { kind: 'text', maxLength },
  read: asText,
})
const file: PropertyDescriber = () => null
const jsonTree: PropertyMapping = { type: { kind: 'json' }, read: asJson }

/** Without an offset, and without a zone of the description: the time as it is written. */
const moment: PropertyDescriber = (property, { days = [], moments, zone }) => {
  if (days.includes(property.name)) return day
  const hasOffset = property.type === 'Edm.DateTimeOffset' && moments === 'declared'
  if (!hasOffset && zone === undefined) return { type: { kind: 'localTimestamp', digits: 7 }, read: asLocalTimestamp }
  const digits = Math.min(property.precision ?? 7, 7)
  return { type: { kind: 'instant', digits }, read: (value) => asInstant(value, zone ?? 'UTC', digits) }
}

/** Any other type is text. */
const describersByType: ReadonlyMap<string, PropertyDescriber> = new Map([
  ['nested', () => jsonTree],
  ['Edm.Untyped', () => jsonTree],
  ['Edm.Binary', file],
  ['Edm.Stream', file],
  ['Edm.Boolean', () => ({ type: { kind: 'boolean' }, read: asFlag })],
  ['Edm.Byte', integerOf(2)],
  ['Edm.SByte', integerOf(2)],
  ['Edm.Int16', integerOf(2)],
  ['Edm.Int32', integerOf(4)],
  ['Edm.Int64', integerOf(8)],
  ['Edm.Decimal', amount],
  ['Edm.Double', amount],
  ['Edm.Single', amount],
  ['Edm.Date', () => day],
  ['Edm.DateTime', moment],
  ['Edm.DateTimeOffset', moment],
  ['Edm.TimeOfDay', () => ({ type: { kind: 'time' }, read: asText })],
  ['Edm.Guid', () => ({ type: { kind: 'guid' }, read: asGuid })],
])

/** Null for images and other files, which no table stores. */
export function mappingOf(property: EdmProperty, rules: TypeRules): PropertyMapping | null {
  if (property.isList || property.type.startsWith('Edm.Geo')) return jsonTree
  if (rules.amounts?.includes(property.name) === true) return amount(property, rules)
  return (describersByType.get(property.type) ?? text)(property, rules)
}

interface WrittenField {
  readonly property: EdmProperty
  readonly column: string
  readonly rules: TypeRules
}

/**
 * @param how key columns are never null: a missing value becomes the empty value of its type. `key`: of the document; `nestedKey`: of a row
 * within it
 */
export function fieldOf(
  { property, column, rules }: WrittenField,
  how: 'key' | 'nestedKey' | 'value',
): FieldMapping | null {
  const mapping = mappingOf(property, rules)
  if (mapping === null) return null
  const { type, read } = mapping
  const sourceField = property.name
  if (how === 'value')
    return {
      column: { name: column, type, nullable: true, sourceField },
      read: ({ node }) => read(readMember(node, property.name)),
    }
  const emptyValue = emptyValues[type.kind] ?? ''
  return {
    column: { name: column, type, nullable: false, sourceField },
    read: ({ document, node }) => read(readMember(how === 'key' ? document : node, property.name)) ?? emptyValue,
  }
}

const emptyValues: { readonly [kind in LogicalType['kind']]?: string } = {
  text: '',
  integer: '0',
  decimal: '0',
  date: '0001-01-01',
  guid: '00000000-0000-0000-0000-000000000000',
}

/** Whether a property can be part of a key. */
export function isKeyable(property: EdmProperty, rules: TypeRules): boolean {
  const mapping = mappingOf(property, rules)
  return mapping !== null && mapping.type.kind in emptyValues
}

export function isInteger(property: EdmProperty): boolean {
  return !property.isList && /^Edm\.(?:S?Byte|Int(?:16|32|64))$/u.test(property.type)
}

/** Without a declared size, as wide as the target allows, so that an amount keeps every digit. */
function decimal({ precision, scale }: Pick<EdmProperty, 'precision' | 'scale'>): LogicalType {
  return precision !== null && scale !== null && precision >= 1 && precision <= 38 && scale <= precision
    ? { kind: 'decimal', precision, scale }
    : { kind: 'decimal' }
}

const groupedSigns = /^-?[\d.,\s]+$/

/** A number as text may have separators, `1.250,50`: the last one is the decimal mark. */
function asGroupedNumber(value: ExactJson): string | null {
  if (typeof value !== 'string' || !groupedSigns.test(value) || !/\d/.test(value)) return asDecimal(value)
  const digits = value.replaceAll(/\s/g, '')
  const mark = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  if (mark === -1 || digits.indexOf(digits.charAt(mark)) !== mark) return digits.replaceAll(/[.,]/g, '')
  return `${digits.slice(0, mark).replaceAll(/[.,]/g, '')}.${digits.slice(mark + 1)}`
}

function asGroupedInteger(value: ExactJson): string | null {
  return asGroupedNumber(value)?.replace(/\.0*$/, '') ?? null
}

/** `/Date(1769864700000)/`, as version 2 writes moments. */
const version2 = /^\/Date\(/u

function asDay(value: ExactJson): string | null {
  return typeof value === 'string' && version2.test(value) ? (dayText(value, 'msDate') ?? value) : asDate(value)
}

/** Null: .NET's missing date, or an empty text. */
function momentText(value: ExactJson): string | null {
  const written = asText(value)
  return written === null || written === '' || written.startsWith('0001-01-01') ? null : written
}

/** The wall-clock time as the service writes it. */
function asLocalTimestamp(value: ExactJson): string | null {
  const written = momentText(value)
  if (written === null) return null
  if (version2.test(written)) return asInstant(written, 'UTC', 3)?.replace(/\+00$/, '') ?? null
  return written.replace('T', ' ').replace(/(?:Z|[+-]\d\d:?\d\d)$/, '')
}

function asInstant(value: ExactJson, zone: string, digits: number): string | null {
  const written = momentText(value)
  if (written === null) return null
  const format = version2.test(written) ? 'msDate' : 'iso'
  return instantText(written, format, { zone, digits }) ?? written
}
