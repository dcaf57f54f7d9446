/** Values as `$filter` writes them. */
import type { EdmProperty } from './edmx.ts'

export type LiteralVersion = 'v3' | 'v4'

type LiteralWriter = (value: string) => string

const asWritten: LiteralWriter = (value) => value
const quoted: LiteralWriter = (value) => `'${value.replaceAll("'", "''")}'`

const int32Max = 2_147_483_647n
/** Version 3 takes a number without a suffix for 32 bits. */
const version3Int64: LiteralWriter = (value) => {
  const isBeyond32Bits = /^-?\d+$/u.test(value) && (BigInt(value) > int32Max || BigInt(value) < -int32Max)
  return isBeyond32Bits ? `${value}L` : value
}

type LiteralWriters = Readonly<Record<string, LiteralWriter | undefined>>

const plainTypes =
  'Byte SByte Int16 Int32 Int64 Decimal Double Single Boolean Guid Date DateTime DateTimeOffset TimeOfDay'
const version4: LiteralWriters = Object.fromEntries(plainTypes.split(' ').map((type) => [`Edm.${type}`, asWritten]))
const version3: LiteralWriters = {
  ...version4,
  'Edm.Int64': version3Int64,
  'Edm.Decimal': (value) => `${value}M`,
  'Edm.Guid': (value) => `guid'${value}'`,
  'Edm.Date': (value) => `datetime'${value}T00:00:00'`,
  'Edm.DateTime': (value) => `datetime'${value}'`,
  'Edm.DateTimeOffset': (value) => `datetimeoffset'${value}'`,
}

/** @param value as the JSON of a row has it, as text */
export function literalOf({ type }: Pick<EdmProperty, 'type'>, value: string, version: LiteralVersion): string {
  return ((version === 'v3' ? version3 : version4)[type] ?? quoted)(value)
}

/** The first moment of a day. @param day such as 2026-03-02 */
export function dayLiteral({ type }: Pick<EdmProperty, 'type'>, day: string, version: LiteralVersion): string {
  if (version === 'v3') return `datetime'${day}T00:00:00'`
  return type === 'Edm.Date' ? day : `${day}T00:00:00Z`
}
