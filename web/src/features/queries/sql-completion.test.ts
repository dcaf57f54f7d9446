import { type Completion, CompletionContext } from '@codemirror/autocomplete'
import { MySQL, PostgreSQL, schemaCompletionSource, sql } from '@codemirror/lang-sql'
import { EditorState } from '@codemirror/state'
import { expect, test } from 'vitest'
import { columnCompletion, defaultSchema, toCompletionSchema } from './sql-completion.ts'

const tables = [
  {
    Schema: 'shop',
    Name: 'invoice',
    Description: 'What customers were charged',
    Columns: [
      { Name: 'id', Description: null },
      { Name: 'Due date', Description: 'The day on which it is due' },
    ],
  },
]
const schema = toCompletionSchema(tables, 'postgres')

async function complete(doc: string): Promise<readonly Completion[]> {
  const state = EditorState.create({ doc, extensions: [sql({ dialect: PostgreSQL, schema })] })
  const context = new CompletionContext(state, doc.length, true)
  const byLanguage = await schemaCompletionSource({ dialect: PostgreSQL, schema })(context)
  return [byLanguage, columnCompletion(tables, 'postgres')(context)].flatMap((result) => result?.options ?? [])
}

test.each([
  ['a table after its schema', 'SELECT * FROM shop.', { label: 'invoice', info: 'What customers were charged' }],
  [
    'a column after its table',
    'SELECT shop.invoice.',
    { label: 'Due date', apply: '"Due date"', info: 'The day on which it is due' },
  ],
  [
    'a column of a table that the statement names',
    'SELECT id FROM shop.invoice WHERE D',
    { label: 'Due date', apply: '"Due date"', info: 'The day on which it is due' },
  ],
])('[SEE-5] [SEE-6] completion offers %s with its description', async (_, doc, expected) => {
  expect(await complete(doc)).toContainEqual(expect.objectContaining(expected))
})

test('[SEE-5] a name without a description has none', async () => {
  const id = (await complete('SELECT shop.invoice.')).find(({ label }) => label === 'id')
  expect([id?.apply, id?.info]).toEqual(['id', undefined])
})

test.each([
  ['mysql', '`Due date`'],
  ['sqlserver', '[Due date]'],
] as const)('[SEE-5] a name of %s is quoted as that database quotes', (dialect, quoted) => {
  const doc = 'SELECT D FROM invoice'
  const context = new CompletionContext(EditorState.create({ doc }), 'SELECT D'.length, true)
  const options = columnCompletion(tables, dialect)(context)?.options ?? []
  expect(options.find(({ label }) => label === 'Due date')?.apply).toBe(quoted)
})

test('[SEE-5] tables of an own MySQL database are offered without its name', async () => {
  const options = { dialect: MySQL, schema: toCompletionSchema(tables, 'mysql') }
  const doc = 'SELECT * FROM inv'
  const state = EditorState.create({ doc, extensions: [sql(options)] })
  const source = schemaCompletionSource({ ...options, defaultSchema: defaultSchema(tables, 'mysql') })
  const found = await source(new CompletionContext(state, doc.length, true))
  expect(found?.options).toContainEqual(expect.objectContaining({ label: 'invoice' }))
})
