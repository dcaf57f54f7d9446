/** Generates values that fit a JSON Schema of the API description. */
import type { Random } from '@tributary/sims/random'

export interface JsonSchema {
  readonly type?: string
  readonly anyOf?: readonly JsonSchema[]
  readonly allOf?: readonly JsonSchema[]
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: JsonSchema | boolean
  readonly items?: JsonSchema
  readonly minItems?: number
  readonly maxItems?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minimum?: number
  readonly maximum?: number
  readonly format?: string
  readonly pattern?: string
}

export interface ValueGenerator {
  readonly random: Random
  /**
   * Returns a typical value for a field name, such as an existing id, a password or a time zone; undefined if unknown.
   */
  generateNamed(name: string, schema: JsonSchema): unknown
}

export function generateValue(schema: JsonSchema, name: string, generator: ValueGenerator): unknown {
  const { random } = generator
  const known = random.next() < 0.93 ? generator.generateNamed(name, schema) : undefined
  if (known !== undefined) return known
  if ('const' in schema) return schema.const
  if (schema.enum !== undefined) return random.pick(schema.enum)
  if (schema.anyOf !== undefined) return generateValue(random.pick(schema.anyOf), name, generator)
  return ofType(schema, name, generator)
}

function ofType(schema: JsonSchema, name: string, generator: ValueGenerator): unknown {
  const { random } = generator
  if (schema.type === 'object' || schema.properties !== undefined) return objectOf(schema, generator)
  if (schema.type === 'array') return arrayOf(schema, name, generator)
  if (schema.type === 'string') return stringOf(schema, random)
  if (schema.type === 'integer' || schema.type === 'number') return numberOf(schema, random)
  if (schema.type === 'boolean') return random.next() < 0.5
  return schema.type === 'null' ? null : generateJson(random, 2)
}

function objectOf(
  { properties = {}, required = [], additionalProperties }: JsonSchema,
  generator: ValueGenerator,
): Record<string, unknown> {
  const { random } = generator
  const made: Record<string, unknown> = {}
  for (const [name, schema] of Object.entries(properties)) {
    if (required.includes(name) || random.next() < 0.5) made[name] = generateValue(schema, name, generator)
  }
  if (typeof additionalProperties === 'object')
    for (let count = random.between(0, 3); count > 0; count -= 1)
      made[textOf(random, 8)] = generateValue(additionalProperties, '', generator)
  return made
}

function arrayOf(
  { items = {}, minItems = 0, maxItems = 3 }: JsonSchema,
  name: string,
  generator: ValueGenerator,
): unknown[] {
  const length = generator.random.between(minItems, Math.max(minItems, Math.min(maxItems, 3)))
  return Array.from({ length }, () => generateValue(items, name, generator))
}

const patterns: readonly (readonly [hint: string, examples: readonly string[]])[] = [
  ['[eE]', ['0', '-12.50', '1e3', '99999999999999999999.0001']],
  ['^-?\\d+', ['0', '-12.50', '123456789012345678901234567890']],
  ['T\\d{2}', ['2026-01-31', '2026-02-28T23:59:59.999']],
]

function stringOf(schema: JsonSchema, random: Random): string {
  const { format, pattern, minLength = 0, maxLength = 40 } = schema
  if (format === 'uuid') return random.guid()
  if (format === 'email') return `user${random.between(1, 1e9)}@fuzz.example`
  if (format === 'date') return random.pick(['2026-10-01', '2024-02-29', '1970-01-01', '9999-12-31', '0001-01-01'])
  if (format === 'date-time')
    return random.pick([
      '2026-10-01T00:00:00Z',
      '2024-02-29T23:59:59.999Z',
      '9999-12-31T23:59:59Z',
      '1000-01-01T00:00:00Z',
    ])
  if (format === 'uri') return 'https://hooks.invalid/there'
  const example = patterns.find(([hint]) => pattern?.includes(hint) === true)
  if (example !== undefined) return random.pick(example[1])
  const least = Math.max(minLength, 0)
  const isLongest = random.next() < 0.04 && maxLength <= 10_000
  const length = isLongest ? maxLength : random.between(least, Math.max(least, Math.min(maxLength, 24)))
  return textOf(random, length)
}

const edges = [0, 1, -1, 2_147_483_647, 2_147_483_648, Number.MAX_SAFE_INTEGER]

function numberOf(
  { minimum = -Number.MAX_SAFE_INTEGER, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema,
  random: Random,
): number {
  const small = random.between(Math.max(minimum, 0), Math.min(Math.max(minimum, 0) + 20, maximum))
  if (random.next() < 0.7) return small
  const fit = [minimum, maximum, ...edges].filter((edge) => edge >= minimum && edge <= maximum)
  return random.pick(fit)
}

/** Letters of many alphabets, and characters with a meaning in SQL, HTML, a shell, a formula or a path. */
const pieces = [
  ['a', 'Zebra', 'é', 'ß', 'İ', '名前', 'עברית', '🙂', '👩‍👩‍👧', '𝔘', 'ﬁ', 'e\u0301', '\u200B', '\u202E', '\uFEFF', ' '],
  [
    "'",
    '"',
    '`',
    ';',
    '--',
    '\\',
    '%',
    '_',
    '$1',
    '${x}',
    '{{x}}',
    '<b>',
    '&amp;',
    '=1+1',
    '@',
    '/',
    '..',
    '?',
    '#',
    '\n',
    '\t',
    '%00',
    '%2e',
  ],
].flat()

function textOf(random: Random, length: number): string {
  let text = 'q'.slice(0, length)
  while ([...text].length < length && text.length < length)
    text += random.next() < 0.6 ? random.pick(['n', 'o', 'v', 'w']) : random.pick(pieces)
  // Truncates between code points, never inside one.
  return [...text].reduce((kept, character) => (kept.length + character.length <= length ? kept + character : kept), '')
}

/** Generates any JSON value. */
export function generateJson(random: Random, depth: number): unknown {
  const kind = random.between(0, depth > 0 ? 6 : 4)
  if (kind === 0) return null
  if (kind === 1) return random.next() < 0.5
  if (kind === 2) return random.pick(edges)
  if (kind <= 4) return textOf(random, random.between(0, 30))
  if (kind === 5) return Array.from({ length: random.between(0, 3) }, () => generateJson(random, depth - 1))
  return Object.fromEntries(
    Array.from({ length: random.between(0, 3) }, () => [textOf(random, 6), generateJson(random, depth - 1)]),
  )
}
