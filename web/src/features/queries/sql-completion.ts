/** What the SQL editor suggests: schemas, tables and columns that the person may read. */
import type { Completion, CompletionContext, CompletionResult } from '@codemirror/autocomplete'
import type { QueryTable } from '@tributary/contract/queries'

/** By schema and table, as the language's own completion expects it. */
export function toCompletionSchema(tables: readonly QueryTable[]): Record<string, Record<string, string[]>> {
  const schemas: Record<string, Record<string, string[]>> = {}
  for (const { Schema, Name, Columns } of tables) (schemas[Schema] ??= {})[Name] = [...Columns]
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
  const named = tables.filter(({ Name }) => lower.includes(Name.toLowerCase()))
  const columns = new Map(named.flatMap(({ Name, Columns }) => Columns.map((column) => [column, Name] as const)))
  return [...columns].map(([column, table]) => ({
    label: column,
    apply: isPlain(column) ? column : `"${column.replaceAll('"', '""')}"`,
    detail: table,
    type: 'property',
    boost: 1,
  }))
}

function isPlain(name: string): boolean {
  return /^[a-z_][a-z0-9_]*$/u.test(name)
}
