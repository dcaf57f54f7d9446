/** Validates input with the contract's schemas. Errors name the field and never repeat its value. */
import { faultFieldsMax } from '@tributary/contract/limits'
import type * as z from 'zod'
import { type ApiFault, badField, badFields } from './api-fault.ts'

export function parseInput<S extends z.ZodType>(schema: S, sent: unknown): z.output<S> {
  requireStorable(sent)
  const result = schema.safeParse(sent, { error: (issue) => sentenceOf(issue) })
  if (result.success) return result.data
  throw toBadFields(result.error.issues)
}

/** PostgreSQL cannot store U+0000 or a lone surrogate, and would fail only in the middle of the work. */
function requireStorable(sent: unknown): void {
  const parts = [{ path: '', value: sent }]
  // Iterates over a growing list instead of recursing, because deep input could overflow the stack.
  for (const { path, value } of parts) {
    if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed())) {
      throw badField(path, 'holds a character that cannot be stored; leave it out')
    }
    if (typeof value !== 'object' || value === null) continue
    for (const [key, part] of Object.entries(value))
      parts.push({ path: path === '' ? key : `${path}.${key}`, value: part })
  }
}

/** Refuses duplicate parameters, because parsers disagree about which one counts. */
export function parseQuery<S extends z.ZodType>(schema: S, sent: unknown): z.output<S> {
  const twice = Object.entries(sent ?? {}).find(([, value]) => Array.isArray(value))
  if (twice === undefined) return parseInput(schema, sent)
  throw badField(twice[0], 'is given more than once; give it once')
}

function toBadFields(issues: readonly z.core.$ZodIssue[]): ApiFault {
  const fields: Record<string, string> = {}
  for (const issue of issues.flatMap(issuesOfNearestForm)) {
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

/** Limits how much of a sent name an error repeats. */
function shortened(name: string): string {
  return name.length > nameShownMax ? `${name.slice(0, nameShownMax).toWellFormed()}…` : name
}
const nameShownMax = 100

/** For a union, reports the issues of the option that was probably meant: the one with the fewest issues. */
function issuesOfNearestForm(issue: z.core.$ZodIssue): readonly z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue]
  const [nearest = []] = issue.errors.toSorted((one, other) => wrongIn(one) - wrongIn(other))
  return nearest.length === 0 ? [issue] : nearest.map((one) => ({ ...one, path: [...issue.path, ...one.path] }))
}

function wrongIn(issues: readonly z.core.$ZodIssue[]): number {
  return issues.reduce((sum, issue) => sum + (issue.code === 'unrecognized_keys' ? issue.keys.length : 1), 0)
}

/** A field error as the end of a sentence that starts with the field's name. */
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
