/** What the SQL editor suggests: schemas, tables and columns that the person may read, each with its description. */
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { SQLNamespace } from '@codemirror/lang-sql'
import type { QueryTable } from '@tributary/contract/queries'

/** By schema and table, as the language's own completion expects it. */
export function toCompletionSchema(tables: readonly QueryTable[]): SQLNamespace {
  const schemas: Record<string, Record<string, SQLNamespace>> = {}
  for (const table of tables)
    (schemas[table.Schema] ??= {})[table.Name] = {
      self: { ...named(table), type: 'type' },
      children: table.Columns.map((column) => ({ ...named(column), type: 'property' })),
    }
  return schemas
}

/** The columns of the tables that the text names: the language's own completion offers them only after the table and a dot. */
export function columnCompletion(tables: readonly QueryTable[]) {
  return (context: CompletionContext): CompletionResult | null => {
    const { explicit, state } = context
    const word = context.matchBefore(/[\p{L}\p{N}_]*/u)
    if (word === null || (word.text === '' && !explicit)) return null
    // After a dot the language's own completion knows the table.
    if (state.sliceDoc(word.from - 1, word.from) === '.') return null
    const options = listColumns(tables, state.doc.toString())
    return options.length === 0 ? null : { from: word.from, options, validFor: /^[\p{L}\p{N}_]*$/u }
  }
}

function listColumns(tables: readonly QueryTable[], text: string): Completion[] {
  const lower = text.toLowerCase()
  const mentioned = tables.filter(({ Name }) => lower.includes(Name.toLowerCase()))
  const columns = new Map(
    mentioned.flatMap(({ Name, Columns }) => Columns.map((column) => [column.Name, { column, table: Name }] as const)),
  )
  return [...columns.values()].map(({ column, table }) => ({
    ...named(column),
    detail: table,
    type: 'property',
    boost: 1,
  }))
}

/** Names other than plain ones are quoted. */
function named({ Name, Description }: Pick<QueryTable, 'Name' | 'Description'>): Completion {
  return {
    label: Name,
    apply: /^[a-z_][a-z0-9_]*$/u.test(Name) ? Name : `"${Name.replaceAll('"', '""')}"`,
    ...(Description !== null && { info: Description }),
  }
}
