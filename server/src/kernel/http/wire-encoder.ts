/** Gives a reply its wire names. The encoder of a schema is built once, when its route is bound. */
import type * as z from 'zod'

type EncodeReply = (value: unknown) => unknown

/** What the encoder and the redactor read of the definition of a schema. */
interface SchemaParts {
  readonly type: string
  readonly innerType?: z.ZodType
  readonly element?: z.ZodType
  readonly shape?: Readonly<Record<string, z.ZodType>>
  readonly options?: readonly z.ZodType[]
  readonly values?: readonly unknown[]
}

export function partsOf(schema: z.ZodType): SchemaParts {
  return schema.def
}

/** Leaves out what the schema does not declare. */
export function wireEncoder(schema: z.ZodType): EncodeReply {
  return encoderOf(schema) ?? ((value) => value)
}

/** Null if there is nothing to rename. */
function encoderOf(schema: z.ZodType): EncodeReply | null {
  const { type, innerType, element, shape, options } = partsOf(schema)
  if (options !== undefined) return encodeUnion(options)
  if (innerType !== undefined) {
    const inner = encoderOf(innerType)
    return inner && ((value) => (value === null || value === undefined ? value : inner(value)))
  }
  if (type === 'array' && element !== undefined) {
    const item = encoderOf(element)
    return item && ((value) => (value as readonly unknown[]).map((each) => item(each)))
  }
  return type === 'object' && shape !== undefined ? encodeObject(shape) : null
}

function encodeObject(shape: Readonly<Record<string, z.ZodType>>): EncodeReply {
  const fields = Object.entries(shape).map(
    ([wireName, field]) => [wireName, uncapitalise(wireName), encoderOf(field)] as const,
  )
  return (value) => {
    const encoded: Record<string, unknown> = {}
    for (const [wireName, name, encode] of fields) {
      const field = (value as Readonly<Record<string, unknown>>)[name]
      encoded[wireName] = encode === null ? field : encode(field)
    }
    return encoded
  }
}

/** Encodes by the first object schema whose required fields are all present. Other values stay as they are. */
function encodeUnion(options: readonly z.ZodType[]): EncodeReply {
  const candidates = options.flatMap((option) => {
    const { shape } = partsOf(option)
    if (shape === undefined) return []
    const required = Object.entries(shape).filter(([, field]) => !field.safeParse(undefined).success)
    return { names: required.map(([wireName]) => uncapitalise(wireName)), encode: encodeObject(shape) }
  })
  return (value) => {
    if (typeof value !== 'object' || value === null) return value
    const match = candidates.find(({ names }) => names.every((name) => name in value))
    return match === undefined ? value : match.encode(value)
  }
}

/** The camelCase name of a wire name. */
export function uncapitalise(name: string): string {
  return name.charAt(0).toLowerCase() + name.slice(1)
}
