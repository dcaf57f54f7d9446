import { Client } from 'pg'
import { inject } from 'vitest'

/**
 * Drops a database of the tests' PostgreSQL and ends its connections. Each test does so itself, because the files of
 * hundreds of databases take a minute to delete at the end.
 */
export async function dropDatabase(database: string): Promise<void> {
  const client = new Client({ ...inject('postgres'), database: 'postgres' })
  await client.connect()
  try {
    await client.query(`DROP DATABASE ${database} WITH (FORCE)`)
  } finally {
    await client.end()
  }
}
