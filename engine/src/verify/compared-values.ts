/** Values of both sides as they are compared in this process. Pure. */
import { comparableText } from '../encoding/comparable-text.ts'
import type { LogicalType } from '../ports/model.ts'
import type { ComparedColumn } from './compared-table.ts'

type Value = string | null

/** Whether both sides hold the same value. */
export function isSameValue({ form, type }: ComparedColumn, source: Value, target: Value): boolean {
  if (source === target) return true
  const isCompared = form === null || form.endsWith(':json')
  return isCompared && comparableText(type, source) === comparableText(type, target)
}

/** Flags of both sides in one notation: a source may write `t` where the target has `true`. */
export function readableText(type: LogicalType, text: Value): Value {
  return type.kind === 'boolean' ? comparableText(type, text) : text
}

/** The canonical text (see `LogicalType`) of a value in its form. */
export function canonicalText({ form, type }: Pick<ComparedColumn, 'form' | 'type'>, text: Value): Value {
  if (text === null) return null
  if (type.kind === 'bytes') return text.startsWith('\\x') ? text : `\\x${text}`
  if (type.kind === 'boolean') return comparableText(type, text)
  return type.kind === 'instant' && form?.startsWith('postgres:') !== true && !text.endsWith('+00')
    ? `${text}+00`
    : text
}
