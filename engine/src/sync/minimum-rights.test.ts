import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { ConnectorProperties } from '../ports/source.ts'
import { openEnds } from '@tributary/testing/engine/databases/postgres-ends.ts'
import { makePostgresPair, type PostgresPair } from '@tributary/testing/engine/databases/postgres-pair.ts'
import { realClock } from '@tributary/testing/engine/sync/source-context.ts'
import { sync } from './run.ts'

const suffix = randomUUID().slice(0, 8)
const [reader, writer] = [`reader_${suffix}`, `writer_${suffix}`]

let pair: PostgresPair
beforeAll(async () => {
  pair = await makePostgresPair()
  await pair.source
    .query(`CREATE TABLE item (id integer PRIMARY KEY, name text); INSERT INTO item VALUES (1, 'one'); CREATE TABLE hidden (id integer PRIMARY KEY);
    CREATE ROLE ${reader} LOGIN PASSWORD 'canary-reader'; GRANT SELECT ON item TO ${reader}`)
  await pair.target.query(
    `CREATE ROLE ${writer} LOGIN PASSWORD 'canary-writer'; CREATE SCHEMA shop AUTHORIZATION ${writer}`,
  )
})
afterAll(async () => {
  for (const [client, role] of [
    [pair.source, reader],
    [pair.target, writer],
  ] as const)
    await client.query(`DROP OWNED BY ${role}; DROP ROLE ${role}`)
  await pair[Symbol.asyncDispose]()
})

function properties(schema: string): ConnectorProperties {
  const as = (side: string, user: string, password: string): object => ({
    ...(pair.properties[`${side}.connectionString`] as object),
    user,
    password,
  })
  return {
    'source.connectionString': as('source', reader, 'canary-reader'),
    'target.connectionString': as('target', writer, 'canary-writer'),
    'target.schema': schema,
  }
}

test('SELECT on the source’s tables and a schema of its own in the target are all the rights it takes', async () => {
  const { signal } = new AbortController()
  const connectorId = randomUUID()
  for (const fence of [1, 2]) {
    await using ends = await openEnds(properties('shop'), signal)
    for (const side of [ends.source, ends.target])
      expect((await side.check()).filter(({ outcome }) => outcome !== 'passed')).toEqual([])
    const outcome = await sync({
      ...ends,
      writer: { connectorId, runId: randomUUID(), fence },
      syncMode: fence === 1 ? 'full' : 'incremental',
      report: () => {},
      log: () => {},
      clock: realClock,
      signal,
    })
    expect(outcome).toMatchObject({
      status: 'completed',
      streams: [{ progress: { stream: 'public.item', phase: 'done' } }],
    })
    await pair.source.query(`UPDATE item SET name = 'changed'`)
  }
  expect(await pair.rows('item')).toEqual(['(1,changed)'])
})

test('a missing privilege is reported with its side by check and run, without secrets', async () => {
  const { signal } = new AbortController()
  await using ends = await openEnds(properties('elsewhere'), signal)
  const checks = await ends.target.check()
  expect(checks.map(({ outcome }) => outcome)).toEqual(['passed', 'passed', 'failed', 'skipped'])
  const outcome = await sync({
    ...ends,
    writer: { connectorId: randomUUID(), runId: randomUUID(), fence: 1 },
    syncMode: 'incremental',
    report: () => {},
    log: () => {},
    clock: realClock,
    signal,
  })
  expect(outcome).toMatchObject({
    status: 'failed',
    fault: { kind: 'settings', code: 'postgres.not_allowed', notice: expect.stringContaining('target') },
  })
  expect(JSON.stringify([checks, outcome])).not.toContain('canary')
})
