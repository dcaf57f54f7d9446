/** Values of a lake: compared with those of filters, in replies, and in the positions between pages. */
import type { DataCell } from '@tributary/contract/data'
import { compareCell } from '@tributary/engine/databases/iceberg/reading/best-rows'
import { type Cell, formatterOf, parserOf } from '@tributary/engine/databases/iceberg/format/cells'
import { decimalSize } from '@tributary/engine/databases/iceberg/format/column-types'
import type { Literal } from '../../../access/query/expression.ts'

type Value = Exclude<Cell, null>

/** Compares a value of the column with the literal: negative, zero or positive. */
export function comparerOf(type: string, literal: Literal): (value: Value) => number {
  const scale = exactScale(type)
  if (scale !== null) return compareExact(scale, literal.value)
  const other = valueOf(type, literal)
  return (value) => compareCell(value, other)
}

/** The digits behind the point of whole numbers and decimals; null for other types. */
function exactScale(type: string): number | null {
  if (type === 'int' || type === 'long') return 0
  return decimalSize(type)?.scale ?? null
}

/** Without rounding: both sides as whole numbers of the finer scale. */
function compareExact(scale: number, text: string): (value: Value) => number {
  const literal = parseNumber(text)
  const finer = Math.max(scale, literal.scale)
  const wanted = literal.unscaled * 10n ** BigInt(finer - literal.scale)
  const factor = 10n ** BigInt(finer - scale)
  return (value) => {
    const own = BigInt(value as bigint | number) * factor
    return own === wanted ? 0 : own < wanted ? -1 : 1
  }
}

/** Of digits with a point and an exponent, as `parseLiteral` accepts them. */
function parseNumber(text: string): { readonly unscaled: bigint; readonly scale: number } {
  const [, sign, whole = '', fraction = '', exponent = '0'] =
    /^([+-]?)(\d*)(?:\.(\d*))?(?:[eE]([+-]?\d+))?$/u.exec(text) ?? []
  const digits = BigInt(`${whole}${fraction}` || '0')
  const unscaled = sign === '-' ? -digits : digits
  const scale = fraction.length - Number(exponent)
  return scale >= 0 ? { unscaled, scale } : { unscaled: unscaled * 10n ** BigInt(-scale), scale: 0 }
}

function valueOf(type: string, { value }: Literal): Value {
  switch (type) {
    case 'double':
      return Number(value)
    case 'boolean':
      return value === 'true'
    case 'timestamp':
      return BigInt(Date.parse(`${value}Z`)) * 1_000n
    case 'timestamptz':
      return BigInt(Date.parse(value)) * 1_000n
    case 'uuid':
      return value.toLowerCase()
    default:
      return parserOf(type)(value) ?? value
  }
}

/** As the explorer shows values of the warehouse: numbers of 64 bits and decimals are text, times are ISO 8601 in UTC. */
export function toDataCell(type: string, cell: Cell): DataCell {
  if (cell === null) return null
  if (typeof cell === 'number' && type === 'double' && !Number.isFinite(cell)) return infinite(cell)
  if (typeof cell === 'boolean' || typeof cell === 'string' || (typeof cell === 'number' && type !== 'date'))
    return cell
  if (cell instanceof Uint8Array) return Buffer.from(cell).toString('base64url')
  const text = formatterOf(type)(cell)
  return type === 'timestamp' || type === 'timestamptz' ? `${text.slice(0, 19).replace(' ', 'T')}${zoneOf(text)}` : text
}

function infinite(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  return value < 0 ? '-INF' : 'INF'
}

/** Digits of the second, if there are any, and the offset. */
function zoneOf(text: string): string {
  return `${text.slice(19).replace('+00', '')}+00:00`
}

/** The value as text in a position. */
export function toPosition(type: string, cell: Cell): string | null {
  return cell === null ? null : formatterOf(type)(cell)
}

/** Undefined for a text that is no value of the type. */
export function fromPosition(type: string, text: string | null): Cell | undefined {
  return text === null ? null : parserOf(type)(text)
}
