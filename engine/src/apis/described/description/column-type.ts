/** The types that a description writes in words, such as `decimal(19,4)`. */
import type { LogicalType } from '../../../ports/model.ts'

/** For people who read an error message. */
export const columnTypeWords =
  'text, text(40), smallint, integer, bigint, decimal, decimal(19,4), double, boolean, date, time, timestamp(3), instant(3), guid or json'

const pattern = /^(?<word>[a-z]+)(?:\((?<first>\d{1,5})(?:, ?(?<second>\d{1,2}))?\))?$/u

/** Null if the text names no type. */
export function parseColumnType(text: string): LogicalType | null {
  const { word = '', first, second } = pattern.exec(text)?.groups ?? {}
  const numbers = [first, second].flatMap((digits) => (digits === undefined ? [] : [Number(digits)]))
  return typesByWord[word]?.(numbers) ?? null
}

type TypeOfNumbers = (numbers: readonly number[]) => LogicalType | null

const withoutNumbers =
  (type: LogicalType): TypeOfNumbers =>
  (numbers) =>
    numbers.length === 0 ? type : null

const withDigits =
  (kind: 'localTimestamp' | 'instant'): TypeOfNumbers =>
  ([digits = 3, ...others]) =>
    digits <= 7 && others.length === 0 ? { kind, digits } : null

const typesByWord: { readonly [word: string]: TypeOfNumbers | undefined } = {
  text: ([maxLength, ...others]) => {
    if (others.length > 0 || maxLength === 0) return null
    return maxLength === undefined ? { kind: 'text' } : { kind: 'text', maxLength }
  },
  smallint: withoutNumbers({ kind: 'integer', bytes: 2 }),
  integer: withoutNumbers({ kind: 'integer', bytes: 4 }),
  bigint: withoutNumbers({ kind: 'integer', bytes: 8 }),
  decimal: ([precision, scale = 0]) => {
    if (precision === undefined) return { kind: 'decimal' }
    return precision >= 1 && precision <= 38 && scale <= precision ? { kind: 'decimal', precision, scale } : null
  },
  double: withoutNumbers({ kind: 'double' }),
  boolean: withoutNumbers({ kind: 'boolean' }),
  date: withoutNumbers({ kind: 'date' }),
  time: withoutNumbers({ kind: 'time' }),
  timestamp: withDigits('localTimestamp'),
  instant: withDigits('instant'),
  guid: withoutNumbers({ kind: 'guid' }),
  json: withoutNumbers({ kind: 'json' }),
}
