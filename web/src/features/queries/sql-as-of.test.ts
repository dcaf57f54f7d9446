import { CompletionContext, type Completion } from '@codemirror/autocomplete'
import { EditorState } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import type { QueryTable } from '@tributary/contract/queries'
import { expect, test } from 'vitest'
import { asOfCompletion } from './sql-as-of.ts'

const table = (Name: string, columns: readonly string[]): QueryTable => ({
  Schema: 'shop',
  Name,
  Description: null,
  Columns: columns.map((column) => ({ Name: column, Description: null })),
})
const tables = [
  table('invoice', ['id', 'Due date']),
  table('invoice__history', ['id', 'Due date', 'valid_from', 'valid_to', 'run_id', 'source_changed_at']),
  table('note', ['words']),
]
const now = () => Date.parse('2026-11-28T06:00:30Z')

/** The text after the suggestion was taken. */
function insert(
  text: string,
  dialect: 'postgres' | 'mysql' | 'sqlserver',
  of: readonly QueryTable[] = tables,
): string[] {
  const state = EditorState.create({ doc: text })
  const found = asOfCompletion(of, dialect, now)(new CompletionContext(state, text.length, true))
  return (found?.options ?? []).map((option: Completion) => {
    const view = new EditorView({ state })
    if (typeof option.apply !== 'function') throw new Error('It is a template.')
    option.apply(view, option, found?.from ?? 0, text.length)
    return view.state.doc.toString()
  })
}

test.each([
  ['postgres', `SELECT * FROM shop.invoice__as_of('2026-11-28T06:00Z')`],
  ['sqlserver', `SELECT * FROM shop.invoice__as_of('2026-11-28T06:00')`],
  [
    'mysql',
    "SELECT * FROM (SELECT id, `Due date` FROM invoice__history WHERE valid_from <= '2026-11-28 06:00' AND (valid_to IS NULL OR valid_to > '2026-11-28 06:00')) AS invoice",
  ],
] as const)('[TRUST-7] the SQL editor inserts what reads a table as it was: %s', (dialect, expected) => {
  expect(insert('SELECT * FROM shop.inv', dialect)).toEqual([expected])
})

test('[TRUST-7] only tables with history are suggested, by the names that their functions have', () => {
  expect(insert('SELECT * FROM no', 'postgres', [table('note', ['words'])])).toEqual([])
  const long = 'n'.repeat(60)
  expect(insert('SELECT * FROM n', 'postgres', [table(long, ['id']), table(`${long}__history`, ['id'])])).toEqual([])
})
