/** The functions of expressions: which kinds they take, and their SQL. Instants are read in UTC, whatever the session's time zone. */
import type { FunctionName } from './expression.ts'
import { sql, type SqlText } from './sql-text.ts'
import type { ValueKind } from './table-model.ts'

/** Kinds that an operand may have. */
export type KindGroup = 'text' | 'number' | 'dateOrTimestamp' | 'timestamp' | 'timestampOrTime'

export const kindGroups: Readonly<Record<KindGroup, { readonly kinds: readonly ValueKind[]; readonly words: string }>> =
  {
    text: { kinds: ['text'], words: 'text' },
    number: { kinds: ['integer', 'decimal', 'double'], words: 'a number' },
    dateOrTimestamp: { kinds: ['date', 'localTimestamp', 'instant'], words: 'a date or a time stamp' },
    timestamp: { kinds: ['localTimestamp', 'instant'], words: 'a time stamp' },
    timestampOrTime: { kinds: ['localTimestamp', 'instant', 'time'], words: 'a time stamp or a time' },
  }

export interface TypedSql {
  readonly sql: SqlText
  readonly kind: ValueKind
}

export interface QueryFunction {
  readonly operands: readonly KindGroup[]
  /** How many of the last operands may be left out. */
  readonly optional?: number
  readonly kind: ValueKind
  readonly sql: (...operands: readonly TypedSql[]) => SqlText
}

/** An instant as the local time of UTC. */
function inUtc({ sql: text, kind }: TypedSql): SqlText {
  return kind === 'instant' ? sql`(${text} AT TIME ZONE 'UTC')` : text
}

function datePart(part: string, group: KindGroup): QueryFunction {
  return { operands: [group], kind: 'integer', sql: (of) => sql`floor(extract(${part} from ${inUtc(of)}))` }
}

function textFunction(name: string): QueryFunction {
  return { operands: ['text'], kind: 'text', sql: (of) => sql`${name}(${of.sql})` }
}

function rounding(name: string): QueryFunction {
  // PostgreSQL rounds doubles half to even, and exact numbers half away from zero, as OData does.
  return { operands: ['number'], kind: 'decimal', sql: (of) => sql`${name}(${of.sql}::numeric)` }
}

/** Positions count from 0, in characters. */
export const queryFunctions: Readonly<Record<FunctionName, QueryFunction>> = {
  ceiling: rounding('ceil'),
  concat: { operands: ['text', 'text'], kind: 'text', sql: (a, b) => sql`(${a?.sql ?? []} || ${b?.sql ?? []})` },
  contains: predicate((text, part) => sql`strpos(${text}, ${part}) > 0`),
  date: { operands: ['dateOrTimestamp'], kind: 'date', sql: (of) => sql`${inUtc(of)}::date` },
  day: datePart('day', 'dateOrTimestamp'),
  endswith: predicate((text, part) => sql`right(${text}, length(${part})) = ${part}`),
  floor: rounding('floor'),
  fractionalseconds: {
    operands: ['timestampOrTime'],
    kind: 'decimal',
    sql: (of) => sql`mod(extract(second from ${inUtc(of)}), 1)`,
  },
  hour: datePart('hour', 'timestampOrTime'),
  indexof: {
    operands: ['text', 'text'],
    kind: 'integer',
    sql: (a, b) => sql`(strpos(${a.sql}, ${b.sql}) - 1)`,
  },
  length: { operands: ['text'], kind: 'integer', sql: (of) => sql`length(${of.sql})` },
  maxdatetime: constant(`'9999-12-31 23:59:59.999999+00'::timestamptz`),
  mindatetime: constant(`'0001-01-01 00:00:00+00'::timestamptz`),
  minute: datePart('minute', 'timestampOrTime'),
  month: datePart('month', 'dateOrTimestamp'),
  now: constant('now()'),
  round: rounding('round'),
  second: datePart('second', 'timestampOrTime'),
  startswith: predicate((text, part) => sql`starts_with(${text}, ${part})`),
  substring: {
    operands: ['text', 'number', 'number'],
    optional: 1,
    kind: 'text',
    sql: (text, start, length) => substring(text, start, length),
  },
  time: { operands: ['timestampOrTime'], kind: 'time', sql: (of) => sql`${inUtc(of)}::time` },
  tolower: textFunction('lower'),
  toupper: textFunction('upper'),
  trim: textFunction('btrim'),
  year: datePart('year', 'dateOrTimestamp'),
}

function predicate(of: (text: SqlText, part: SqlText) => SqlText): QueryFunction {
  return { operands: ['text', 'text'], kind: 'boolean', sql: (text, part) => sql`(${of(text.sql, part.sql)})` }
}

function constant(text: string): QueryFunction {
  return { operands: [], kind: 'instant', sql: () => [text] }
}

/** A negative position or length counts as 0: PostgreSQL would count the first from before the text, and refuse the second. */
function substring(text: TypedSql, start: TypedSql, length: TypedSql | undefined): SqlText {
  const bounded = (of: TypedSql) => sql`least(greatest(${of.sql}, 0), 1000000000)::integer`
  const from = sql`${bounded(start)} + 1`
  return length === undefined
    ? sql`substr(${text.sql}, ${from})`
    : sql`substr(${text.sql}, ${from}, ${bounded(length)})`
}
