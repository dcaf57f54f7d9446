/** What the SQL editor suggests: schemas, tables and columns that the person may read, each with its description. */
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { SQLNamespace } from '@codemirror/lang-sql'
import type { QueryDatabase, QueryTable } from '@tributary/contract/queries'

type Dialect = QueryDatabase['Dialect']

/** The schema whose tables need no prefix. In MySQL it is the database, of which alone the tables are listed. */
export function defaultSchema(tables: readonly QueryTable[], dialect: Dialect): string {
  return { postgres: 'public', mysql: tables[0]?.Schema ?? '', sqlserver: 'dbo' }[dialect]
}

/** By schema and table, as the language's own completion expects it. */
export function toCompletionSchema(tables: readonly QueryTable[], dialect: Dialect): SQLNamespace {
  const schemas: Record<string, Record<string, SQLNamespace>> = {}
  for (const table of tables)
    (schemas[table.Schema] ??= {})[table.Name] = {
      self: { ...named(table, dialect), type: 'type' },
      children: table.Columns.map((column) => ({ ...named(column, dialect), type: 'property' })),
    }
  return schemas
}

/** The columns of the tables that the text names: the language's own completion offers them only after the table and a dot. */
export function columnCompletion(tables: readonly QueryTable[], dialect: Dialect) {
  return (context: CompletionContext): CompletionResult | null => {
    const { explicit, state } = context
    const word = context.matchBefore(/[\p{L}\p{N}_]*/u)
    if (word === null || (word.text === '' && !explicit)) return null
    // After a dot the language's own completion knows the table.
    if (state.sliceDoc(word.from - 1, word.from) === '.') return null
    const options = listColumns(tables, state.doc.toString(), dialect)
    return options.length === 0 ? null : { from: word.from, options, validFor: /^[\p{L}\p{N}_]*$/u }
  }
}

function listColumns(tables: readonly QueryTable[], text: string, dialect: Dialect): Completion[] {
  const lower = text.toLowerCase()
  const mentioned = tables.filter(({ Name }) => lower.includes(Name.toLowerCase()))
  const columns = new Map(
    mentioned.flatMap(({ Name, Columns }) => Columns.map((column) => [column.Name, { column, table: Name }] as const)),
  )
  return [...columns.values()].map(({ column, table }) => ({
    ...named(column, dialect),
    detail: table,
    type: 'property',
    boost: 1,
  }))
}

const quoting = {
  postgres: (name: string) => `"${name.replaceAll('"', '""')}"`,
  mysql: (name: string) => `\`${name.replaceAll('`', '``')}\``,
  sqlserver: (name: string) => `[${name.replaceAll(']', ']]')}]`,
}

/** Names other than plain ones are quoted. PostgreSQL alone changes capitals of a name without quotes. */
export function quoteName(name: string, dialect: Dialect): string {
  const plain = dialect === 'postgres' ? /^[a-z_][a-z0-9_]*$/u : /^[A-Za-z_][A-Za-z0-9_]*$/u
  return plain.test(name) ? name : quoting[dialect](name)
}

function named({ Name, Description }: Pick<QueryTable, 'Name' | 'Description'>, dialect: Dialect): Completion {
  return {
    label: Name,
    apply: quoteName(Name, dialect),
    ...(Description !== null && { info: Description }),
  }
}
