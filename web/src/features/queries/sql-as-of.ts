/** What the SQL editor suggests to read a table as it was: the call of its function, or in MySQL a SELECT over its history. */
import {
  type Completion,
  type CompletionContext,
  type CompletionResult,
  snippetCompletion,
} from '@codemirror/autocomplete'
import type { QueryDatabase, QueryTable } from '@tributary/contract/queries'
import { defaultSchema, quoteName } from './sql-completion.ts'

type Dialect = QueryDatabase['Dialect']

const suffixes = { history: '__history', asOf: '__as_of' } as const
/** Of a name in PostgreSQL, the shortest limit. A longer one has another ending, so no call is suggested. */
const nameMax = 63
/** The columns of a history that are not those of its table. */
const added = new Set(['valid_from', 'valid_to', 'run_id', 'source_changed_at', 'row_hash', 'row_number'])

/** @param now milliseconds since 1970: the moment that is suggested */
export function asOfCompletion(tables: readonly QueryTable[], dialect: Dialect, now: () => number) {
  const bySchema = new Set(tables.map(({ Schema, Name }) => `${Schema}\t${Name}`))
  const kept = tables.filter(({ Schema, Name }) => bySchema.has(`${Schema}\t${Name}${suffixes.history}`))
  return (context: CompletionContext): CompletionResult | null => {
    const word = context.matchBefore(/[\p{L}\p{N}_.]+/u)
    if (word === null || kept.length === 0) return null
    const at = new Date(now()).toISOString().slice(0, 16)
    const options = kept.flatMap((table) => suggest(table, { tables, dialect, at }) ?? [])
    return { from: word.from, options, validFor: /^[\p{L}\p{N}_.]*$/u }
  }
}

interface Suggesting {
  readonly tables: readonly QueryTable[]
  readonly dialect: Dialect
  /** Such as `2026-11-28T06:00`. */
  readonly at: string
}

function suggest(table: QueryTable, { tables, dialect, at }: Suggesting): Completion | undefined {
  const { Schema, Name } = table
  const isDefault = Schema === defaultSchema(tables, dialect)
  const place = (name: string): string =>
    isDefault && dialect !== 'sqlserver'
      ? quoteName(name, dialect)
      : `${quoteName(Schema, dialect)}.${quoteName(name, dialect)}`
  const info = 'The rows as they were at a moment in UTC. Nothing is known of before its history began.'
  const label = `${isDefault ? '' : `${Schema}.`}${Name}${suffixes.asOf}`
  const template =
    dialect === 'mysql'
      ? selectOfHistory(table, tables, { place, at })
      : `${escapeField(place(`${Name}${suffixes.asOf}`))}('\${${at}${dialect === 'postgres' ? 'Z' : ''}}')`
  if (template === undefined || Name.length + suffixes.asOf.length > nameMax) return undefined
  return snippetCompletion(template, { label, detail: 'as of a moment', info, type: 'function' })
}

/** MySQL and MariaDB have no functions that return tables. */
function selectOfHistory(
  { Schema, Name }: QueryTable,
  tables: readonly QueryTable[],
  { place, at }: { readonly place: (name: string) => string; readonly at: string },
): string | undefined {
  const history = tables.find((one) => one.Schema === Schema && one.Name === `${Name}${suffixes.history}`)
  const columns = history?.Columns.map((column) => column.Name) ?? []
  if (!columns.includes('valid_from') || !columns.includes('valid_to')) return undefined
  const own = columns.filter((name) => !added.has(name)).map((name) => quoteName(name, 'mysql'))
  const moment = `'\${${at.replace('T', ' ')}}'`
  return `(SELECT ${escapeField(own.join(', '))} FROM ${escapeField(place(`${Name}${suffixes.history}`))} WHERE valid_from <= ${moment} AND (valid_to IS NULL OR valid_to > ${moment})) AS ${escapeField(quoteName(Name, 'mysql'))}`
}

/** Braces after a dollar or number sign begin a field of a template. */
function escapeField(text: string): string {
  return text.replaceAll(/[{}]/gu, String.raw`\$&`)
}
