/** Prepares repeated statements, so that each connection parses and plans them once. */
import type { PoolClient } from 'pg'

/** A limit, because statements whose text varies with their input would fill the server's memory with plans. */
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
