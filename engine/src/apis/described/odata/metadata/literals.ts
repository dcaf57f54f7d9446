/** Values as `$filter` writes them. */
import type { EdmProperty } from './edmx.ts'

export type LiteralVersion = 'v3' | 'v4'

/** @param value as the JSON of a row has it, as text */
export function literalOf({ type }: Pick<EdmProperty, 'type'>, value: string, version: LiteralVersion): string {
  switch (type) {
    case 'Edm.Byte':
    case 'Edm.SByte':
    case 'Edm.Int16':
    case 'Edm.Int32':
    case 'Edm.Boolean':
      return value
    case 'Edm.Int64':
      // Version 3 takes a number without a suffix for 32 bits.
      return version === 'v3' && isBeyond32Bits(value) ? `${value}L` : value
    case 'Edm.Decimal':
      return version === 'v3' ? `${value}M` : value
    case 'Edm.Double':
    case 'Edm.Single':
      return value
    case 'Edm.Guid':
      return version === 'v3' ? `guid'${value}'` : value
    case 'Edm.Date':
      return version === 'v3' ? `datetime'${value}T00:00:00'` : value
    case 'Edm.DateTime':
      return version === 'v3' ? `datetime'${value}'` : value
    case 'Edm.DateTimeOffset':
      return version === 'v3' ? `datetimeoffset'${value}'` : value
    default:
      return `'${value.replaceAll("'", "''")}'`
  }
}

/** The first moment of a day. @param day such as 2026-03-02 */
export function dayLiteral({ type }: Pick<EdmProperty, 'type'>, day: string, version: LiteralVersion): string {
  if (version === 'v3') return `datetime'${day}T00:00:00'`
  return type === 'Edm.Date' ? day : `${day}T00:00:00Z`
}

const int32Max = 2_147_483_647n

function isBeyond32Bits(value: string): boolean {
  return /^-?\d+$/u.test(value) && (BigInt(value) > int32Max || BigInt(value) < -int32Max)
}
