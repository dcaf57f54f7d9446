/** Queries from a grammar, each with its meaning: which rows of a table it finds, by OData's rules for null. */
import type { Random } from '@tributary/sims/random'

export interface FuzzRow {
  /** Differs from row to row. */
  readonly Amount: number
  readonly Owner: string
  readonly Note: string | null
}

export interface MadeUpFilter {
  readonly text: string
  /** Null for a function of null, whose negation is null, too. Comparisons with null are true or false. */
  readonly matches: (row: FuzzRow) => boolean | null
}

type Value<T> = { readonly text: string; readonly of: (row: FuzzRow) => T | null }

const texts = ['', 'a', 'B', "it's", '%', '_', '\\', 'é', '100', 'bar', 'cellar'] as const

export function makeFilter(random: Random, depth = 3): MadeUpFilter {
  const kind = depth === 0 ? random.between(3, 7) : random.between(0, 7)
  if (kind <= 1) return joined(random, depth)
  if (kind === 2) {
    const { text, matches } = makeFilter(random, depth - 1)
    return { text: `not (${text})`, matches: (row) => negated(matches(row)) }
  }
  if (kind === 3) return inList(random)
  if (kind === 4) return textPredicate(random)
  return random.next() < 0.6 ? compared(random, makeNumber(random, 2), makeNumber(random, 2)) : comparedTexts(random)
}

function negated(value: boolean | null): boolean | null {
  return value === null ? null : !value
}

function joined(random: Random, depth: number): MadeUpFilter {
  const parts = [makeFilter(random, depth - 1), makeFilter(random, depth - 1)]
  const [operator, decisive] = random.next() < 0.5 ? (['and', false] as const) : (['or', true] as const)
  return {
    text: `(${parts.map(({ text }) => text).join(` ${operator} `)})`,
    matches: (row) => {
      const values = parts.map(({ matches }) => matches(row))
      if (values.includes(decisive)) return decisive
      return values.includes(null) ? null : !decisive
    },
  }
}

function makeNumber(random: Random, depth: number): Value<number> {
  if (depth === 0 || random.next() < 0.5) {
    if (random.next() < 0.6) return { text: 'Amount', of: ({ Amount }) => Amount }
    if (random.next() < 0.3)
      return { text: 'length(Note)', of: ({ Note }) => (Note === null ? null : [...Note].length) }
    const value = random.between(-3, 60)
    return { text: String(value), of: () => value }
  }
  const [a, b] = [makeNumber(random, depth - 1), makeNumber(random, depth - 1)]
  const operator = random.pick(['add', 'sub', 'mul'] as const)
  const compute = {
    add: (x: number, y: number) => x + y,
    sub: (x: number, y: number) => x - y,
    mul: (x: number, y: number) => x * y,
  }
  return { text: `(${a.text} ${operator} ${b.text})`, of: (row) => withBoth(a.of(row), b.of(row), compute[operator]) }
}

function withBoth<T, R>(a: T | null, b: T | null, compute: (a: T, b: T) => R): R | null {
  return a === null || b === null ? null : compute(a, b)
}

const comparisons = {
  eq: <T>(a: T | null, b: T | null) => a === b,
  ne: <T>(a: T | null, b: T | null) => a !== b,
  gt: (a: number | null, b: number | null) => a !== null && b !== null && a > b,
  ge: (a: number | null, b: number | null) => a !== null && b !== null && a >= b,
  lt: (a: number | null, b: number | null) => a !== null && b !== null && a < b,
  le: (a: number | null, b: number | null) => a !== null && b !== null && a <= b,
}

function compared(random: Random, a: Value<number>, b: Value<number>): MadeUpFilter {
  const operator = random.pick(Object.keys(comparisons) as (keyof typeof comparisons)[])
  return { text: `${a.text} ${operator} ${b.text}`, matches: (row) => comparisons[operator](a.of(row), b.of(row)) }
}

/** Only for equality: the order of texts is the collation's. */
function comparedTexts(random: Random): MadeUpFilter {
  const operator = random.pick(['eq', 'ne'] as const)
  const isNull = random.next() < 0.3
  const value = random.pick(texts)
  const name = random.pick(['Owner', 'Note'] as const)
  const right = isNull ? null : value
  return {
    text: `${name} ${operator} ${right === null ? 'null' : quoted(right)}`,
    matches: (row) => comparisons[operator](row[name], right),
  }
}

function inList(random: Random): MadeUpFilter {
  if (random.next() < 0.5) {
    const values = Array.from({ length: random.between(1, 30) }, () => random.between(-5, 60))
    return { text: `Amount in (${values.join(',')})`, matches: ({ Amount }) => values.includes(Amount) }
  }
  const values = Array.from({ length: random.between(1, 4) }, () => random.pick([...texts, null]))
  return {
    text: `Note in (${values.map((value) => (value === null ? 'null' : quoted(value))).join(',')})`,
    matches: ({ Note }) => values.includes(Note as (typeof values)[number]),
  }
}

const predicates = {
  contains: (text: string, part: string) => text.includes(part),
  startswith: (text: string, part: string) => text.startsWith(part),
  endswith: (text: string, part: string) => text.endsWith(part),
}

function textPredicate(random: Random): MadeUpFilter {
  const name = random.pick(Object.keys(predicates) as (keyof typeof predicates)[])
  const column = random.pick(['Owner', 'Note'] as const)
  const part = random.pick(texts)
  return {
    text: `${name}(${column},${quoted(part)})`,
    matches: (row) => {
      const text = row[column]
      return text === null ? null : predicates[name](text, part)
    },
  }
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}

/** Changes a text at random: most results are not OData. */
export function damaged(random: Random, text: string): string {
  const at = random.between(0, text.length)
  const inserted = random.pick([
    ...`'"()\\;%,/$@ \0é`,
    ' or 1 eq 1',
    '--',
    '/*',
    "'; DROP TABLE x; --",
    ')) or ((',
    'null',
    '1e999',
    '9'.repeat(30),
  ])
  const cut = random.between(0, 3)
  return `${text.slice(0, at)}${inserted}${text.slice(at + cut)}`
}
