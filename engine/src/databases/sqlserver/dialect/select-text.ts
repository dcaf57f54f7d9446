/** Results of a SELECT as text. The driver converts decimals to doubles, so the rows are read as JSON, in which they keep every digit. */
import type { SqlConnection } from '../connection.ts'

export async function selectText(
  connection: SqlConnection,
  select: string,
): Promise<readonly (readonly (string | null)[])[]> {
  const [found] = await connection.rows(
    `SELECT (SELECT * FROM (${select}) AS answered FOR JSON PATH, INCLUDE_NULL_VALUES)`,
  )
  const json = found?.[0]
  if (typeof json !== 'string') return []
  const rows = parse(json, (_, value, { source }) => textOf(value, source)) as readonly JsonRow[]
  return rows.map((row) => Object.values(row))
}

function textOf(value: unknown, source: string | undefined): unknown {
  return typeof value === 'boolean' ? String(Number(value)) : typeof value === 'number' ? source : value
}

type JsonRow = { readonly [column: string]: string | null }

/** With the third argument of 2025, which the typings of the language lack. */
const parse = JSON.parse as (
  text: string,
  revive: (key: string, value: unknown, context: { readonly source?: string }) => unknown,
) => unknown
