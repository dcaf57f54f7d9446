/** Redacts replies for the guest role. */
import type * as z from 'zod'
import { partsOf, uncapitalise } from './wire-encoder.ts'

type RedactValue = (value: unknown) => unknown

/** Values of other types could hold more than their schema declares, so they are dropped. */
const scalars = ['string', 'number', 'boolean', 'enum']

/**
 * Compiles the schema of a guest's reply (`guestReply`) into a function that keeps what the schema declares and drops the rest.
 * The function takes and returns names in camelCase. A field that allows one value only (`withheld`) gets that value.
 */
export function guestRedactor(schema: z.ZodType): RedactValue {
  const { type, innerType, element, shape, values } = partsOf(schema)
  if (type === 'null') return () => null
  if (type === 'literal') return () => values?.[0]
  if (type === 'nullable' && innerType !== undefined) {
    const redact = guestRedactor(innerType)
    return (value) => (value === null ? null : redact(value))
  }
  if (type === 'array' && element !== undefined) {
    if (element.def.type === 'never') return () => []
    const redact = guestRedactor(element)
    return (value) => (value as readonly unknown[]).map(redact)
  }
  if (type === 'object' && shape !== undefined) return objectRedactor(shape)
  if (scalars.includes(type)) return (value) => value
  throw new Error(`The schema of a guest's reply must not contain the type ${type}.`)
}

function objectRedactor(shape: Readonly<Record<string, z.ZodType>>): RedactValue {
  const fields = Object.entries(shape).map(
    ([wireName, field]) => [uncapitalise(wireName), guestRedactor(field)] as const,
  )
  return (value) =>
    Object.fromEntries(fields.map(([name, redact]) => [name, redact((value as Record<string, unknown>)[name])]))
}
