/** From a property, as the metadata describe it, to a column and the reading of its values. */
import { asDate, asDecimal, asFlag, asGuid, asJson, asText } from '../http/canonical.ts'
import type { Json } from '../http/exact-json.ts'
import { member } from '../http/fields.ts'
import type { Field } from '../http/fields.ts'
import type { LogicalType } from '../../ports/model.ts'
import type { Property } from './edmx.ts'

interface Kind {
  readonly type: LogicalType
  readonly read: (value: Json) => string | null
}

/** Named like this a property is a day, though Uniconta writes it as a moment at midnight. */
const dayNames = new Set(
  'Date DueDate GraceDate DeliveryDate DocumentDate FromDate ToDate StartDate EndDate'.split(' '),
)
/** Numbers that grow for ever: as wide as they get, whatever the metadata say of today's. */
const seriesNames = new Set('PrimaryKeyId RowId InvoiceNumber OrderNumber Voucher JournalPostedId'.split(' '))

type Describe = (property: Property) => Kind | null

const whole =
  (bytes: 2 | 4 | 8): Describe =>
  ({ name }) => ({ type: { kind: 'integer', bytes: seriesNames.has(name) ? 8 : bytes }, read: asWhole })
const amount: Describe = (property) => ({ type: decimal(property), read: asNumber })
const day: Kind = { type: { kind: 'date' }, read: asDate }
const moment: Describe = ({ name }) =>
  dayNames.has(name) ? day : { type: { kind: 'localTimestamp', digits: 7 }, read: asStamp }
const text: Describe = ({ maxLength }) => ({
  type: maxLength === null ? { kind: 'text' } : { kind: 'text', maxLength },
  read: asText,
})
const file: Describe = () => null
const tree: Describe = () => ({ type: { kind: 'json' }, read: asJson })

/** Any other type is text. */
const described: ReadonlyMap<string, Describe> = new Map([
  ['nested', tree],
  ['Edm.Binary', file],
  ['Edm.Stream', file],
  ['Edm.Boolean', () => ({ type: { kind: 'boolean' }, read: asFlag })],
  ['Edm.Byte', whole(2)],
  ['Edm.SByte', whole(2)],
  ['Edm.Int16', whole(2)],
  ['Edm.Int32', whole(4)],
  ['Edm.Int64', whole(8)],
  ['Edm.Decimal', amount],
  ['Edm.Double', amount],
  ['Edm.Single', amount],
  ['Edm.Date', () => day],
  ['Edm.DateTime', moment],
  ['Edm.DateTimeOffset', moment],
  ['Edm.TimeOfDay', () => ({ type: { kind: 'time' }, read: asText })],
  ['Edm.Guid', () => ({ type: { kind: 'guid' }, read: asGuid })],
])

/** Null for what no table holds: images and other files. */
export function kindOf(property: Property): Kind | null {
  return property.isList ? tree(property) : (described.get(property.type) ?? text)(property)
}

/** @param how a key is never null: nothing becomes what stands for nothing in its type. */
export function fieldOf(property: Property, column: string, how: 'key' | 'value'): Field | null {
  const kind = kindOf(property)
  if (kind === null) return null
  const { type, read } = kind
  if (how === 'value')
    return { column: { name: column, type, nullable: true }, read: ({ node }) => read(member(node, property.name)) }
  const nothing = nothings[type.kind] ?? ''
  return {
    column: { name: column, type, nullable: false },
    read: ({ document }) => read(member(document, property.name)) ?? nothing,
  }
}

const nothings: { readonly [kind in LogicalType['kind']]?: string } = {
  text: '',
  integer: '0',
  decimal: '0',
  date: '0001-01-01',
}

/** Whether a property can be part of a key. */
export function isKeyable(property: Property): boolean {
  const kind = kindOf(property)
  return kind !== null && kind.type.kind in nothings
}

export function isInteger(property: Property): boolean {
  return kindOf(property)?.type.kind === 'integer'
}

/** Without a declared size as wide as the target allows: an amount arrives with every digit that was written. */
function decimal({ precision, scale }: Pick<Property, 'precision' | 'scale'>): LogicalType {
  return precision !== null && scale !== null && precision <= 38 && scale <= precision
    ? { kind: 'decimal', precision, scale }
    : { kind: 'decimal' }
}

const danishSigns = /^-?[\d.,\s]+$/

/** A number that comes as text may be written the Danish way, `1.250,50`: the last separator is the decimal mark. */
function asNumber(value: Json): string | null {
  if (typeof value !== 'string' || !danishSigns.test(value) || !/\d/.test(value)) return asDecimal(value)
  const digits = value.replaceAll(/\s/g, '')
  const mark = Math.max(digits.lastIndexOf('.'), digits.lastIndexOf(','))
  if (mark === -1 || digits.indexOf(digits.charAt(mark)) !== mark) return digits.replaceAll(/[.,]/g, '')
  return `${digits.slice(0, mark).replaceAll(/[.,]/g, '')}.${digits.slice(mark + 1)}`
}

function asWhole(value: Json): string | null {
  return asNumber(value)?.replace(/\.0*$/, '') ?? null
}

/** The wall-clock time as Uniconta writes it: it does not say in which zone, so neither does Tributary. */
function asStamp(value: Json): string | null {
  const given = asText(value)
  if (given === null || given === '' || given.startsWith('0001-01-01')) return null
  return given.replace('T', ' ').replace(/(?:Z|[+-]\d\d:?\d\d)$/, '')
}
