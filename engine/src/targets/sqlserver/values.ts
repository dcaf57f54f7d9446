/** What of a value SQL Server would cut or round without a word, found before it is sent. */
import type { LogicalType } from '../../model.ts'
import { decimalSize, nvarcharMax } from '../../sqlserver/types.ts'
import type { ValuedColumn } from '../../placement.ts'
import { isUnknown, unknownReason } from '../../unknown-values.ts'

/** Characters that a value of this column has at most while it is staged as text; null for no limit. */
export function stagedLength({ values, type }: ValuedColumn): number | null {
  if (values.kind === 'json' || values.kind === 'bytes' || type.startsWith('nvarchar(max)')) return null
  if (values.kind !== 'text') return otherLength
  const stored = Number(/^nvarchar\((\d+)\)/.exec(type)?.[1] ?? nvarcharMax)
  return stored
}

/** The longest number, moment or guid is shorter. */
const otherLength = 400

/** Why a value does not fit, or null. Of the rest the server says itself whether it can be converted. */
export function misfitOf(value: string | null, column: ValuedColumn): string | null {
  if (value === null) return null
  if (isUnknown(value, column.values)) return unknownReason(value)
  const lengthMax = stagedLength(column)
  if (lengthMax !== null && value.length > lengthMax) return `The text has ${value.length} characters; the column takes ${lengthMax}.`
  if (column.values.kind === 'bytes') return bytesMisfit(value, column.type)
  return column.values.kind === 'decimal' && column.type.startsWith('decimal') ? decimalMisfit(value, column.values) : null
}

/** Written as `\x` and two digits a byte. */
function bytesMisfit(value: string, columnType: string): string | null {
  const [, max] = /^varbinary\((\d+)\)/u.exec(columnType) ?? []
  const length = value.length / 2 - 1
  return max !== undefined && length > Number(max) ? `The binary has ${length} bytes; the column takes ${max}.` : null
}

const decimalText = /^-?(\d*)(?:\.(\d*))?$/

function decimalMisfit(value: string, type: Extract<LogicalType, { kind: 'decimal' }>): string | null {
  const { precision, scale } = decimalSize(type)
  const [found, whole = '', fraction = ''] = decimalText.exec(value) ?? []
  if (found === undefined) return 'This is not a number.'
  if (whole.replace(/^0+/, '').length > precision - scale) return `The number has more than ${precision - scale} digits before the point.`
  return /[1-9]/.test(fraction.slice(scale)) ? `The number has more than ${scale} digits behind the point.` : null
}
