/** Hashes and masks values of chosen columns. */
import { createHmac } from 'node:crypto'
import { comparableText } from '../encoding/comparable-text.ts'
import type { Column, LogicalType } from '../ports/model.ts'
import type { MaskMethod } from '../ports/table-rules.ts'

export type MaskValue = (value: string | null) => string | null

/** Hexadecimal digits of HMAC-SHA-256. */
const hashLength = 64
const hidden = '*'

export function createMask(method: MaskMethod, type: LogicalType, secret: Uint8Array): MaskValue {
  switch (method.kind) {
    case 'clear':
      return () => null
    case 'keepEnd':
      return (value) => (value === null ? null : keepEnd(value, method.characters))
    case 'hash':
      return (value) => (value === null ? null : hash(type, value, secret))
  }
}

/** Texts that mean the same, such as 1.5 and 1.50, have the same hash, so that tables of different sources can be joined. */
function hash(type: LogicalType, value: string, secret: Uint8Array): string {
  return createHmac('sha256', secret)
    .update(comparableText(type, value) ?? value, 'utf8')
    .digest('hex')
}

/** A text that is not longer than what would stay is hidden completely. */
function keepEnd(value: string, characters: number): string {
  const all = [...value]
  const shown = all.length > characters ? characters : 0
  return hidden.repeat(all.length - shown) + all.slice(all.length - shown).join('')
}

/** The column as its masked values arrive. */
export function maskedColumn(column: Column, method: MaskMethod, description: string): Column {
  const { type } = column
  const described = {
    ...column,
    description: column.description === undefined ? description : `${description} ${column.description}`,
  }
  switch (method.kind) {
    case 'clear':
      return { ...described, nullable: true }
    case 'keepEnd':
      return { ...described, type: type.kind === 'text' ? withoutNative(type) : type }
    case 'hash':
      return { ...described, type: { kind: 'text', maxLength: hashLength } }
  }
}

/** A native type, such as an interval, could not store the replaced characters. */
function withoutNative({ maxLength }: Extract<LogicalType, { kind: 'text' }>): LogicalType {
  return { kind: 'text', ...(maxLength !== undefined && { maxLength }) }
}
