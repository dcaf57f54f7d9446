import { connect } from 'node:net'
import { inject, test, expect } from 'vitest'
import pg from 'pg'

test('the tests have a real PostgreSQL 18 and a real MariaDB', async () => {
  const client = new pg.Client({ ...inject('postgres'), database: 'postgres' })
  await client.connect()
  const { rows } = await client.query<{ server_version: string }>('SHOW server_version')
  await client.end()
  expect(rows[0]?.server_version).toMatch(/^18\./)

  const { host, port } = inject('mariadb')
  const greeting = await new Promise<Buffer>((resolve, reject) => {
    const socket = connect(port, host)
    socket.once('data', (bytes) => resolve(bytes))
    socket.once('error', reject)
    socket.once('data', () => socket.destroy())
  })
  expect(greeting.toString('latin1')).toContain('MariaDB')
})
