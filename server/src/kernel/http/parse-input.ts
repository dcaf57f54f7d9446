/** Reads what was sent by the contract's schemas; what does not fit is told field by field, and never repeated. */
import { faultFieldsMax } from '@tributary/contract/limits'
import type * as z from 'zod'
import { type ApiFault, badField, badFields } from './api-fault.ts'

export function parseInput<S extends z.ZodType>(schema: S, sent: unknown): z.output<S> {
  requireStorable(sent)
  const result = schema.safeParse(sent, { error: (issue) => sentenceOf(issue) })
  if (result.success) return result.data
  throw refused(result.error.issues)
}

/** PostgreSQL stores no U+0000 and no half of a surrogate pair, and says so only in the middle of the work. */
function requireStorable(sent: unknown): void {
  const parts = [{ path: '', value: sent }]
  // The list grows while it is walked: whatever is sent may be nested deeper than functions may call themselves.
  for (const { path, value } of parts) {
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) {
      throw badField(path, 'holds a character that cannot be stored; leave it out')
    }
    if (typeof value !== 'object' || value === null) continue
    for (const [key, part] of Object.entries(value))
      parts.push({ path: path === '' ? key : `${path}.${key}`, value: part })
  }
}

/** A name that comes twice is refused: two readers of one address must never understand two different things. */
export function parseQuery<S extends z.ZodType>(schema: S, sent: unknown): z.output<S> {
  const twice = Object.entries(sent ?? {}).find(([, value]) => Array.isArray(value))
  if (twice === undefined) return parseInput(schema, sent)
  throw badField(twice[0], 'is given more than once; give it once')
}

function refused(issues: readonly z.core.$ZodIssue[]): ApiFault {
  const fields: Record<string, string> = {}
  for (const issue of issues.flatMap(ofNearest)) {
    const path = issue.path.join('.')
    const room = faultFieldsMax - Object.keys(fields).length
    if (room <= 0) break
    const unknown =
      issue.code === 'unrecognized_keys'
        ? issue.keys.slice(0, room).map((key) => (path === '' ? key : `${path}.${key}`))
        : []
    for (const name of unknown) fields[shortened(name)] ??= 'is not known here; leave it out'
    if (unknown.length === 0) fields[path === '' ? 'body' : shortened(path)] ??= issue.message
  }
  return badFields(fields)
}

/** A name that was sent is only repeated so far. */
function shortened(name: string): string {
  return name.length > nameShownMax ? `${name.slice(0, nameShownMax).toWellFormed()}…` : name
}
const nameShownMax = 100

/** Where one of several forms was asked for, what is wrong is told of the one that was probably meant: that lacks least. */
function ofNearest(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const [nearest = []] = issue.errors.toSorted((one, other) => wrongIn(one) - wrongIn(other))
  return nearest.length === 0 ? [issue] : nearest.map((one) => ({ ...one, path: [...issue.path, ...one.path] }))
}

function wrongIn(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0)
}

/** What is wrong with a field, as the end of a sentence that begins with its name. */
function sentenceOf(issue: z.core.$ZodRawIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is missing'
        : `must be ${kinds[issue.expected] ?? `of the kind ${issue.expected}`}`
    case 'too_small':
      return tooSmall(issue.origin, issue.minimum)
    case 'too_big':
      return `must be at most ${issue.maximum}${units[issue.origin] ?? ''}`
    case 'invalid_format':
      return `must be ${formats[issue.format] ?? 'in the right form'}`
    case 'invalid_value':
      return `must be one of ${issue.values.map(String).join(', ')}`
    default:
      return 'is not right'
  }
}

function tooSmall(origin: string, minimum: number | bigint): string {
  return origin === 'string' && minimum === 1
    ? 'must not be empty'
    : `must be at least ${minimum}${units[origin] ?? ''}`
}

const kinds: Readonly<Record<string, string>> = {
  string: 'text',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
}
const units: Readonly<Record<string, string>> = { string: ' characters long', array: ' entries long' }
const formats: Readonly<Record<string, string>> = {
  uuid: 'an id (a UUID)',
  email: 'an e-mail address',
  name: 'a name, without line breaks and without the address of a page',
  url: 'an address',
  datetime: 'a time in ISO 8601',
}
