/** Databases in the tests' PostgreSQL. */
import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { inject } from 'vitest'
import { dropDatabase } from '../../databases/drop-database.ts'

/** Creates an empty database and connects to it. */
export async function makeDatabase(): Promise<pg.Client> {
  const server = inject('postgres')
  const admin = new pg.Client({ ...server, database: 'postgres' })
  await admin.connect()
  const database = `engine_${randomUUID().replaceAll('-', '')}`
  await admin.query(`CREATE DATABASE ${database}`)
  await admin.end()
  const client = new pg.Client({ ...server, database })
  await client.connect()
  await client.query(`SET TimeZone = 'UTC'; SET extra_float_digits = 1`)
  return client
}

export async function endAndDrop(client: pg.Client): Promise<void> {
  await client.end()
  await dropDatabase(client.database ?? '')
}
