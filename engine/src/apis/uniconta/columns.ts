/** Maps a property of the OData metadata to a column and a converter of its values. */
import { asDate, asDecimal, asFlag, asGuid, asJson, asText } from '../http/canonical-text.ts'
import type { ExactJson } from '../http/exact-json.ts'
import { type FieldMapping, readMember } from '../http/fields.ts'
import type { LogicalType } from '../../ports/model.ts'
import type { EdmProperty } from './edmx.ts'

interface PropertyMapping {
  readonly type: LogicalType
  readonly read: (value: ExactJson) => string | null
}

/** Properties with these names are dates, although Uniconta writes them as midnight timestamps. */
const dateProperties = new Set(
  'Date DueDate GraceDate DeliveryDate DocumentDate FromDate ToDate StartDate EndDate'.split(' '),
)
/** Ever-growing numbers get 8 bytes, regardless of their declared type. */
const growingNumbers = new Set('PrimaryKeyId RowId InvoiceNumber OrderNumber Voucher JournalPostedId'.split(' '))

type PropertyDescriber = (property: EdmProperty) => PropertyMapping | null

const integerOf =
  (bytes: 2 | 4 | 8): PropertyDescriber =>
  ({ name }) => ({ type: { kind: 'integer', bytes: growingNumbers.has(name) ? 8 : bytes }, read: asInteger })
const amount: PropertyDescriber = (property) => ({ type: decimal(property), read: asNumber })
const day: PropertyMapping = { type: { kind: 'date' }, read: asDate }
const dateOrTimestamp: PropertyDescriber = ({ name }) =>
  dateProperties.has(name) ? day : { type: { kind: 'localTimestamp', digits: 7 }, read: asLocalTimestamp }
const text: PropertyDescriber = ({ maxLength }) => ({
  type: maxLength === null ? { kind: 'text' } : { kind: 'text', maxLength },
  read: asText,
})
const file: PropertyDescriber = () => null
const jsonTree: PropertyDescriber = () => ({ type: { kind: 'json' }, read: asJson })

/** Any other type is text. */
const describersByType: ReadonlyMap<string, PropertyDescriber> = new Map([
  ['nested', jsonTree],
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
  ['Edm.DateTime', dateOrTimestamp],
  ['Edm.DateTimeOffset', dateOrTimestamp],
  ['Edm.TimeOfDay', () => ({ type: { kind: 'time' }, read: asText })],
  ['Edm.Guid', () => ({ type: { kind: 'guid' }, read: asGuid })],
])

/** Null for images and other files, which no table stores. */
export function mappingOf(property: EdmProperty): PropertyMapping | null {
  return property.isList ? jsonTree(property) : (describersByType.get(property.type) ?? text)(property)
}

/** @param how key columns are never null: a missing value becomes the empty value of its type */
export function fieldOf(property: EdmProperty, column: string, how: 'key' | 'value'): FieldMapping | null {
  const kind = mappingOf(property)
  if (kind === null) return null
  const { type, read } = kind
  const sourceField = property.name
  if (how === 'value')
    return {
      column: { name: column, type, nullable: true, sourceField },
      read: ({ node }) => read(readMember(node, property.name)),
    }
  const emptyValue = emptyValues[type.kind] ?? ''
  return {
    column: { name: column, type, nullable: false, sourceField },
    read: ({ document }) => read(readMember(document, property.name)) ?? emptyValue,
  }
}

const emptyValues: { readonly [kind in LogicalType['kind']]?: string } = {
  text: '',
  integer: '0',
  decimal: '0',
  date: '0001-01-01',
}

/** Whether a property can be part of a key. */
export function isKeyable(property: EdmProperty): boolean {
  const kind = mappingOf(property)
  return kind !== null && kind.type.kind in emptyValues
}

export function isInteger(property: EdmProperty): boolean {
  return mappingOf(property)?.type.kind === 'integer'
}

/** Without a declared size, as wide as the target allows, so that an amount keeps every digit. */
function decimal({ precision, scale }: Pick<EdmProperty, 'precision' | 'scale'>): LogicalType {
  return precision !== null && scale !== null && precision <= 38 && scale <= precision
    ? { kind: 'decimal', precision, scale }
    : { kind: 'decimal' }
}

const danishSigns = /^-?[\d.,\s]+$/

/** A number as text may have Danish separators, `1.250,50`: the last separator is the decimal mark. */
function asNumber(value: ExactJson): string | null {
  if (typeof value !== 'string' || !danishSigns.test(value) || !/\d/.test(value)) return asDecimal(value)
  const digits = value.replaceAll(/\s/g, '')
  const mark = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  if (mark === -1 || digits.indexOf(digits.charAt(mark)) !== mark) return digits.replaceAll(/[.,]/g, '')
  return `${digits.slice(0, mark).replaceAll(/[.,]/g, '')}.${digits.slice(mark + 1)}`
}

function asInteger(value: ExactJson): string | null {
  return asNumber(value)?.replace(/\.0*$/, '') ?? null
}

/** The wall-clock time as Uniconta writes it. Uniconta does not state the time zone. */
function asLocalTimestamp(value: ExactJson): string | null {
  const timestamp = asText(value)
  if (timestamp === null || timestamp === '' || timestamp.startsWith('0001-01-01')) return null
  return timestamp.replace('T', ' ').replace(/(?:Z|[+-]\d\d:?\d\d)$/, '')
}
