/** Whether an existing column fits the wanted type. Pure. A column is widened or left alone, never narrowed. */
import type { LogicalType } from '../../ports/model.ts'

export type TypeFit =
  /** The column can hold every value as it is. */
  | { readonly kind: 'keep' }
  /** `rewrites`: existing values are spelled differently, so they are read from the source again. */
  | { readonly kind: 'widen'; readonly to: LogicalType; readonly rewrites?: true }
  /** Old and new values have no type in common but text. */
  | { readonly kind: 'clash' }

const keep: TypeFit = { kind: 'keep' }
const clash: TypeFit = { kind: 'clash' }
const integerDigits = { 2: 5, 4: 10, 8: 19 } as const

export function fitType(have: LogicalType, want: LogicalType): TypeFit {
  if (have.kind === 'text') return fitText(have.maxLength, want)
  if (isExact(have) && isExact(want)) return fitExact(have, want)
  if (have.kind === want.kind) return fitDigits(have, want)
  return fitKinds(have, want)
}

function fitKinds(have: LogicalType, want: LogicalType): TypeFit {
  if (have.kind === 'boolean' && isExact(want)) return { kind: 'widen', to: want, rewrites: true }
  if (isExact(have) && want.kind === 'boolean') return keep
  const pair = `${have.kind}, ${want.kind}`
  if (pair === 'date, localTimestamp' || (pair === 'integer, double' && isSmall(have)))
    return { kind: 'widen', to: want }
  if (pair === 'localTimestamp, date' || (pair === 'double, integer' && isSmall(want))) return keep
  return clash
}

/** A double holds every integer of up to 53 bits. */
function isSmall(type: LogicalType): boolean {
  return type.kind === 'integer' && type.bytes < 8
}

/** A text column takes the canonical text of any value, if it is long enough. */
function fitText(lengthMax: number | undefined, want: LogicalType): TypeFit {
  if (lengthMax === undefined) return keep
  if (want.kind === 'text' && want.maxLength !== undefined)
    return want.maxLength <= lengthMax ? keep : { kind: 'widen', to: want }
  return { kind: 'widen', to: { kind: 'text' } }
}

type ExactType = Extract<LogicalType, { kind: 'integer' | 'decimal' }>

function isExact(type: LogicalType): type is ExactType {
  return type.kind === 'integer' || type.kind === 'decimal'
}

function fitExact(have: ExactType, want: ExactType): TypeFit {
  if (have.kind === 'integer' && want.kind === 'integer')
    return want.bytes <= have.bytes ? keep : { kind: 'widen', to: want }
  const there = digitsOf(have)
  const wanted = digitsOf(want)
  if (there === null) return keep
  if (wanted === null) return { kind: 'widen', to: { kind: 'decimal' } }
  const whole = Math.max(there.whole, wanted.whole)
  const scale = Math.max(there.scale, wanted.scale)
  if (have.kind === 'decimal' && whole === there.whole && scale === there.scale) return keep
  return { kind: 'widen', to: { kind: 'decimal', precision: whole + scale, scale } }
}

/** Digits before and after the point; null without a limit. */
function digitsOf(type: ExactType): { whole: number; scale: number } | null {
  if (type.kind === 'integer') return { whole: integerDigits[type.bytes], scale: 0 }
  if (type.precision === undefined) return null
  const scale = type.scale ?? 0
  return { whole: type.precision - scale, scale }
}

function fitDigits(have: LogicalType, want: LogicalType): TypeFit {
  const more = 'digits' in have && 'digits' in want && want.digits > have.digits
  return more ? { kind: 'widen', to: want } : keep
}
