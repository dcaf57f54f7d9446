/**
 * Column types of a bulk load. The driver converts decimals to doubles and points in time to milliseconds, so those are written here.
 * https://learn.microsoft.com/openspecs/windows_protocols/ms-tds/
 */
import { TYPES } from 'tedious'

type BulkType = (typeof TYPES)['Int']

export interface BulkColumn {
  readonly type: BulkType
  readonly length?: number
  readonly precision?: number
  readonly scale?: number
}

/** A day counts from 0001-01-01; units of the column's scale count from midnight. */
export interface MomentValue {
  readonly day: number
  readonly units: number
}

interface ParsedType {
  readonly name: string
  /** The numbers in parentheses; infinite for `max`. */
  readonly numbers: readonly number[]
}

/** Parses a type such as `decimal(18,4)`, with or without a collation. */
export function readType(columnType: string): ParsedType {
  const [, name = '', inside = ''] = /^(\w+)(?:\(([^)]*)\))?/u.exec(columnType) ?? []
  return {
    name,
    numbers:
      inside === '' ? [] : inside.split(',').map((word) => (word === 'max' ? Number.POSITIVE_INFINITY : Number(word))),
  }
}

/** Type of a column in the staging table. Decimals take the maximum precision: not every server that speaks TDS reads the shorter forms. */
export function stagedType(columnType: string): string {
  const { name, numbers } = readType(columnType)
  return name === 'decimal' ? `decimal(${decimalDigits},${numbers[1] ?? 0})` : columnType
}

const decimalDigits = 38

export function bulkColumn(columnType: string): BulkColumn {
  const { name, numbers } = readType(columnType)
  const [first = 0, second = 0] = numbers
  const column = columns[name]
  if (column === undefined) throw new Error(`No column of ours has the type ${columnType}.`)
  return column(first, second)
}

const columns: { readonly [name: string]: ((first: number, second: number) => BulkColumn) | undefined } = {
  nvarchar: (length) => ({ type: TYPES.NVarChar, length }),
  varbinary: (length) => ({ type: TYPES.VarBinary, length }),
  smallint: () => ({ type: TYPES.SmallInt }),
  int: () => ({ type: TYPES.Int }),
  bigint: () => ({ type: TYPES.BigInt }),
  decimal: (_, scale) => ({ type: decimal, precision: decimalDigits, scale }),
  float: () => ({ type: TYPES.Float }),
  bit: () => ({ type: TYPES.Bit }),
  date: () => ({ type: date }),
  time: (scale) => ({ type: time, scale }),
  datetime2: (scale) => ({ type: dateTime2, scale }),
  uniqueidentifier: () => ({ type: TYPES.UniqueIdentifier }),
}

const asItIs = <T>(value: T): T => value

/** Takes a bigint: the value times ten to the power of its scale. */
const decimal: BulkType = {
  ...TYPES.Decimal,
  validate: asItIs,
  writeValue(buffer, { value }) {
    if (value === null) return buffer.writeUInt8(0)
    const isNegative = value < 0n
    const magnitude: bigint = isNegative ? -value : value
    buffer.writeUInt8(decimalBytes)
    buffer.writeUInt8(isNegative ? 0 : 1)
    buffer.writeBigUInt64LE(BigInt.asUintN(64, magnitude))
    buffer.writeBigUInt64LE(magnitude >> 64n)
  },
}

/** The sign, and 128 bits. */
const decimalBytes = 17

/** Takes a day number. */
const date: BulkType = {
  ...TYPES.Date,
  validate: asItIs,
  writeValue(buffer, { value }) {
    if (value === null) return buffer.writeUInt8(0)
    buffer.writeUInt8(dayBytes)
    buffer.writeUInt24LE(value)
  },
}

/** Takes the units since midnight. */
const time: BulkType = {
  ...TYPES.Time,
  validate: asItIs,
  writeValue(buffer, { value, scale = 0 }) {
    if (value === null) return buffer.writeUInt8(0)
    buffer.writeUInt8(unitBytes(scale))
    writeUnits(buffer, value, scale)
  },
}

/** Takes a `MomentValue`. */
const dateTime2: BulkType = {
  ...TYPES.DateTime2,
  validate: asItIs,
  writeValue(buffer, { value, scale = 0 }) {
    if (value === null) return buffer.writeUInt8(0)
    const { day, units }: MomentValue = value
    buffer.writeUInt8(unitBytes(scale) + dayBytes)
    writeUnits(buffer, units, scale)
    buffer.writeUInt24LE(day)
  },
}

const dayBytes = 3

function unitBytes(scale: number): 3 | 4 | 5 {
  if (scale <= 2) return 3
  return scale <= 4 ? 4 : 5
}

function writeUnits(buffer: Parameters<BulkType['writeValue']>[0], units: number, scale: number): void {
  const bytes = unitBytes(scale)
  if (bytes === 3) buffer.writeUInt24LE(units)
  else if (bytes === 4) buffer.writeUInt32LE(units)
  else buffer.writeUInt40LE(units)
}
