/** Values of SQL Server as text. The driver reads decimals as doubles; one that a double cannot hold exactly is refused instead. */
import { type QueryColumn, QueryRefused, type QueryValueKind } from '../../../ports/query.ts'

export interface ColumnDescription {
  readonly colName: string
  readonly type: { readonly name: string }
  readonly scale?: number | undefined
  readonly precision?: number | undefined
}

const numberTypes =
  /^(?:TinyInt|SmallInt|Int|BigInt|IntN|Decimal|Numeric|DecimalN|NumericN|Money|SmallMoney|MoneyN|Float|Real|FloatN)$/u
const exactTypes = /^(?:Decimal|Numeric|Money|SmallMoney)/u
const timestampTypes = /^(?:DateTime|SmallDateTime)/u

export function toColumn({ colName, type }: ColumnDescription): QueryColumn {
  return { name: colName, type: type.name.replace(/N$/u, '').toLowerCase(), kind: kindOf(type.name) }
}

function kindOf(type: string): QueryValueKind {
  if (numberTypes.test(type)) return 'number'
  if (type === 'Bit' || type === 'BitN') return 'boolean'
  if (type === 'Date') return 'date'
  return timestampTypes.test(type) ? 'timestamp' : 'text'
}

/** Throws `QueryRefused`. */
export function formatValue(value: unknown, column: ColumnDescription): string | null {
  if (value === null || value === undefined) return null
  if (typeof value === 'number') return exactTypes.test(column.type.name) ? formatExact(value, column) : String(value)
  if (value instanceof Date) return formatDate(value, column)
  if (value instanceof Uint8Array) return `0x${Buffer.from(value).toString('hex')}`
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint'
    ? String(value)
    : JSON.stringify(value)
}

/** Below this, the digits of an unscaled decimal come back from the double that the driver divides them to. */
const exactMax = 2 ** 52

function formatExact(value: number, { colName, scale = 4 }: ColumnDescription): string {
  if (Math.abs(value) * 10 ** scale < exactMax) return value.toFixed(scale)
  throw new QueryRefused(
    `The column ${colName || 'without a name'} has a value with more digits than can be read exactly here.`,
    {
      hint: `Read it as text: CONVERT(varchar(50), ${colName === '' ? '…' : `[${colName}]`}).`,
    },
  )
}

function formatDate(value: Date & { readonly nanosecondsDelta?: number }, { type, scale }: ColumnDescription): string {
  const iso = value.toISOString()
  const day = iso.slice(0, 10)
  if (type.name === 'Date') return day
  const digits = /^(?:Time|DateTime2|DateTimeOffset)$/u.test(type.name)
    ? (scale ?? 7)
    : type.name === 'SmallDateTime'
      ? 0
      : 3
  // The driver keeps what is below a millisecond in seconds.
  const fraction =
    `${iso.slice(20, 23)}${String(Math.round((value.nanosecondsDelta ?? 0) * 1e7)).padStart(4, '0')}`.slice(0, digits)
  const time = `${iso.slice(11, 19)}${digits === 0 ? '' : `.${fraction}`}`
  if (type.name === 'Time') return time
  return `${day} ${time}${type.name === 'DateTimeOffset' ? '+00:00' : ''}`
}
