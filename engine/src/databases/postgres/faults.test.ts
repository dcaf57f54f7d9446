import { Client } from 'pg'
import { expect, inject, test } from 'vitest'
import { postgresFault } from './faults.ts'

test('[SCALE-6] a server that ends a session because it was silent for too long is tried again', async () => {
  const client = new Client({ ...inject('postgres'), database: 'postgres' })
  client.on('error', () => undefined)
  await client.connect()
  await client.query('BEGIN; SET LOCAL idle_in_transaction_session_timeout = 10')
  // Like a process that was suspended, or whose packets were lost: it has not read yet that the session is over.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 500)
  const error: unknown = await client.query('SELECT').catch((cause: unknown) => cause)
  await client.end()
  expect(error).toMatchObject({ code: '25P03' })
  expect(postgresFault(error, 'target')).toMatchObject({ kind: 'passing', code: 'postgres.connection_lost' })
})
