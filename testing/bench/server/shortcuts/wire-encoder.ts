/** The encoder of replies without compiled functions: one closure a schema, which loops over the names. */
import type * as z from 'zod'
import { uncapitalise } from '../../../../server/src/kernel/http/wire-encoder.ts'

export { uncapitalise } from '../../../../server/src/kernel/http/wire-encoder.ts'

type Encode = (value: unknown) => unknown
interface Def {
  readonly type: string
  readonly innerType?: z.ZodType
  readonly element?: z.ZodType
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly options?: readonly z.ZodType[]
}

export function wireEncoder(schema: z.ZodType): Encode {
  return encoder(schema) ?? ((value) => value)
}

/** Null where there is nothing to rename. */
function encoder(schema: z.ZodType): Encode | null {
  const { type, innerType, element, shape, options } = schema.def as unknown as Def
  if (options !== undefined) return choice(options)
  if (innerType !== undefined) {
    const inner = encoder(innerType)
    return inner && ((value) => (value === null || value === undefined ? value : inner(value)))
  }
  if (type === 'array' && element !== undefined) {
    const each = encoder(element)
    return each && ((value) => (value as readonly unknown[]).map(each))
  }
  return type === 'object' && shape !== undefined ? object(shape) : null
}

function object(shape: Readonly<Record<string, z.ZodType>>): Encode {
  const fields = Object.entries(shape).map(([wire, field]) => [wire, uncapitalise(wire), encoder(field)] as const)
  return (value) => {
    const encoded: Record<string, unknown> = {}
    for (const [wire, name, encode] of fields) {
      const field = (value as Readonly<Record<string, unknown>>)[name]
      encoded[wire] = encode === null ? field : encode(field)
    }
    return encoded
  }
}

/** The first shape whose required fields are all there. */
function choice(options: readonly z.ZodType[]): Encode {
  const shapes = options.flatMap((option) => {
    const { shape } = option.def as unknown as Def
    if (shape === undefined) return []
    const required = Object.entries(shape).filter(([, field]) => !field.safeParse(undefined).success)
    return { required: required.map(([wire]) => uncapitalise(wire)), encode: object(shape) }
  })
  return (value) => {
    if (typeof value !== 'object' || value === null) return value
    const found = shapes.find(({ required }) => required.every((name) => name in value))
    return found === undefined ? value : found.encode(value)
  }
}
