import { readFileSync } from 'node:fs'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { withClient } from './with-client.ts'

let app: TestApp
beforeAll(async () => {
  app = await testApp()
})
afterAll(() => app[Symbol.asyncDispose]())

/** The sixth column is the timer that runs, 02 for keepalive, and when it ends, in hundredths of a second. */
function secondsToKeepAlive(localPort: number): number | undefined {
  const port = localPort.toString(16).toUpperCase().padStart(4, '0')
  const line = readFileSync('/proc/self/net/tcp', 'utf8')
    .split('\n')
    .map((each) => each.trim().split(/\s+/u))
    .find(([, local]) => local?.endsWith(`:${port}`))
  const [timer, ends = ''] = line?.[5]?.split(':') ?? []
  return timer === '02' ? Number.parseInt(ends, 16) / 100 : undefined
}

/** Another timer runs until the other side has acknowledged what was sent. */
const untilAcknowledged = { timeout: 20_000 }

test('[SCALE-6] a connection outside the pool notices within seconds that the other side has forgotten it', async () => {
  await withClient({ ...inject('postgres'), database: 'postgres' }, async (client) => {
    const { rows } = await client.query<{ port: number }>('SELECT inet_client_port() AS port')
    await expect.poll(() => secondsToKeepAlive(rows[0]?.port ?? 0), untilAcknowledged).toBeLessThanOrEqual(10)
  })
})

test('[SCALE-6] a connection of the store notices within seconds that the other side has forgotten it', async () => {
  await app.store.across(async (db) => {
    const { rows } = await sql<{ port: number }>`SELECT inet_client_port() AS port`.execute(db)
    await expect.poll(() => secondsToKeepAlive(rows[0]?.port ?? 0), untilAcknowledged).toBeLessThanOrEqual(10)
  })
})
