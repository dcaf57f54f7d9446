/** Statements that come again and again are parsed and planned once a connection instead of once a call. */
import type { PoolClient } from 'pg'

/** A statement whose text varies with its input (a list of ids) must not fill the server's memory with plans. */
const statementsMax = 500
const names = new Map<string, string>()

export function prepareStatements(client: PoolClient): void {
  const query = client.query.bind(client) as (statement: unknown, values?: unknown) => unknown
  const prepared = (text: unknown, values?: unknown): unknown => {
    const name = typeof text === 'string' && Array.isArray(values) && values.length > 0 ? nameOf(text) : undefined
    return name === undefined ? query(text, values) : query({ name, text, values })
  }
  Object.assign(client, { query: prepared })
}

function nameOf(text: string): string | undefined {
  const known = names.get(text)
  if (known !== undefined || names.size >= statementsMax) return known
  const name = `tributary_${names.size}`
  names.set(text, name)
  return name
}
