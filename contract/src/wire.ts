/**
 * Wire names, converted here and nowhere else: entities travel as the specification writes them (`CompanyName`), the server
 * speaks camelCase (`companyName`). A name already in camelCase (the session's) stays as it is.
 */
import type * as z from 'zod'

/** The same value with every declared name in camelCase. Open records (`{'data source': …}`) keep their keys. */
export type Camel<T> = T extends readonly (infer Item)[]
  ? readonly Camel<Item>[]
  : T extends object
    ? string extends keyof T
      ? T
      : { readonly [K in keyof T as K extends string ? Uncapitalize<K> : K]: Camel<T[K]> }
    : T

type Encode = (value: unknown) => unknown
type Def = { type: string; innerType?: z.ZodType; element?: z.ZodType; shape?: Record<string, z.ZodType> }

/** Builds, once a route, the function that gives a reply its wire names; what the schema does not declare is left out. */
export function wireEncoder(schema: z.ZodType): Encode {
  const def = schema.def as unknown as Def
  if (def.innerType !== undefined) return optional(wireEncoder(def.innerType))
  if (def.type === 'array' && def.element !== undefined) return many(wireEncoder(def.element))
  if (def.type === 'object' && def.shape !== undefined) return object(def.shape)
  return (value) => value
}

function optional(encode: Encode): Encode {
  return (value) => (value === null || value === undefined ? value : encode(value))
}

function many(encode: Encode): Encode {
  return (value) => (value as unknown[]).map(encode)
}

function object(shape: Record<string, z.ZodType>): Encode {
  const fields = Object.entries(shape).map(([wire, schema]) => ({ wire, name: uncapitalise(wire), encode: wireEncoder(schema) }))
  return (value) => {
    const from = value as Record<string, unknown>
    const to: Record<string, unknown> = {}
    for (const { wire, name, encode } of fields) {
      const field = from[name]
      if (field !== undefined) to[wire] = encode(field)
    }
    return to
  }
}

function uncapitalise(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}
