/** The functions of Go templates, Sprig and Helm that our chart uses. */
import { stringify } from 'yaml'
import type { TemplateFunction } from './template-expressions.ts'

/** Go's rule: false, 0, nothing, and whatever is empty. */
export function isTruthy(value: unknown): boolean {
  if (Array.isArray(value)) return value.length > 0
  if (typeof value === 'object' && value !== null) return Object.keys(value).length > 0
  return Boolean(value)
}

export const templateFunctions: Readonly<Record<string, TemplateFunction>> = {
  and: (...values) => values.find((value) => !isTruthy(value)) ?? values.at(-1),
  or: (...values) => values.find((value) => isTruthy(value)) ?? values.at(-1),
  not: (value) => !isTruthy(value),
  eq: (value, ...others) => others.includes(value),
  ne: (value, other) => value !== other,
  lt: (value, other) => Number(value) < Number(other),
  gt: (value, other) => Number(value) > Number(other),
  default: (initial, value) => (isTruthy(value) ? value : initial),
  required: (message, value) => (isTruthy(value) ? value : fail(message)),
  fail,
  quote: (value) => JSON.stringify(String(value ?? '')),
  printf: (format, ...values) => printf(String(format), values),
  print: (...values) => values.join(''),
  int: (value) => Math.trunc(Number(value)),
  mul: (...values) => values.reduce<number>((product, value) => product * Number(value), 1),
  contains: (part, text) => String(text).includes(String(part)),
  trunc: (length, text) => String(text).slice(0, Number(length)),
  trimSuffix: (suffix, text) =>
    String(text).endsWith(String(suffix)) ? String(text).slice(0, -String(suffix).length) : text,
  join: (separator, values) => (values as readonly unknown[]).join(String(separator)),
  list: (...values) => values,
  dict: (...pairs) =>
    Object.fromEntries(pairs.flatMap((key, at) => (at % 2 === 0 ? [[String(key), pairs[at + 1]]] : []))),
  index: (value, ...path) => path.reduce((held, key) => (held as Record<string, unknown>)[String(key)], value),
  toYaml: (value) => stringify(value, { lineWidth: 0 }).trimEnd(),
  nindent: (spaces, text) => `\n${indent(Number(spaces), String(text))}`,
  urlParse: (text) => ({ hostname: new URL(String(text)).hostname }),
}

function fail(message: unknown): never {
  throw new Error(String(message))
}

function printf(format: string, values: readonly unknown[]): string {
  let at = 0
  return format.replaceAll(/%[sdv]/gu, () => String(values[at++]))
}

function indent(spaces: number, text: string): string {
  return text
    .split('\n')
    .map((line) => ' '.repeat(spaces) + line)
    .join('\n')
}
