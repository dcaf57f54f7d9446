/** Reads example values of the columns of a table. Nothing is stored: they are rows, and each person reads their own. */
import type { ColumnExamples, ExampleGap } from '@tributary/contract/data'
import type { Camel } from '@tributary/contract/wire'
import { quote } from '@tributary/engine/databases/postgres/types'
import type { PoolClient } from 'pg'
import type { ColumnModel, TableModel } from '../../access/query/table-model.ts'

/** Limit of the statement. */
export const examplesSeconds = 5

const rowsMax = 300
const examplesMax = 3
const charactersMax = 40

export async function readExamples(client: PoolClient, table: TableModel): Promise<Camel<ColumnExamples>[]> {
  const shown = table.columns.filter((column) => findGap(column) === null)
  const values = shown.length === 0 ? [] : await readFirstRows(client, table, shown)
  return table.columns.map((column) => {
    const gap = findGap(column)
    const examples = gap === null ? toExamples(values[shown.indexOf(column)] ?? []) : []
    return { name: column.name, examples, gap: gap ?? (examples.length === 0 ? 'empty' : null) }
  })
}

/** The values of each column, null where a row has none. One character more than is shown shows whether a value is cut. */
async function readFirstRows(
  client: PoolClient,
  { schema, name }: TableModel,
  columns: readonly ColumnModel[],
): Promise<readonly (readonly (string | null)[])[]> {
  const cells = columns.map((column) => `left(t.${quote(column.name)}::text, ${charactersMax + 1})`).join(', ')
  await client.query(`BEGIN READ ONLY; SET LOCAL TimeZone = 'UTC'`)
  const { rows } = await client.query<{ cells: readonly (string | null)[] }>(
    `SELECT ARRAY[${cells}] AS cells FROM (SELECT * FROM ${quote(schema)}.${quote(name)} LIMIT $1) AS t`,
    [rowsMax],
  )
  await client.query('COMMIT')
  return columns.map((_, at) => rows.map((row) => row.cells[at] ?? null))
}

function toExamples(values: readonly (string | null)[]): string[] {
  const present = values.flatMap((value) => (value === null || value.trim() === '' ? [] : [value]))
  return [...new Set(present)].slice(0, examplesMax).map(cut)
}

function cut(value: string): string {
  const characters = [...value]
  return characters.length > charactersMax ? `${characters.slice(0, charactersMax - 1).join('')}…` : value
}

/** Why values of a column are not shown, by its name and type. */
function findGap({ name, kind }: ColumnModel): ExampleGap | null {
  if (kind === 'bytes') return 'binary'
  if (kind === 'json') return 'document'
  return isSecretName(name) ? 'secret' : null
}

const secretParts = /passw|passphrase|secret|token|credential|apikey|privatekey|accesskey/u
const secretWords: ReadonlySet<string> = new Set(['pwd', 'pin', 'otp', 'cvv', 'cvc', 'salt', 'hash'])

/** Names are `api_key`, `apiKey` or `API key`. */
function isSecretName(name: string): boolean {
  const words = name
    .replaceAll(/(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
  return secretParts.test(words.join('')) || words.some((word) => secretWords.has(word))
}
