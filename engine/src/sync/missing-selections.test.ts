/** Selected tables that no longer exist: their rows stay, and they are not reported as up to date. */
import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { openBoth } from '@tributary/testing/engine/databases/both-ends.ts'
import { type DatabaseEnd, type EndKind, makeEnd } from '@tributary/testing/engine/databases/database-ends.ts'
import { makeDatabasePair, numbers } from '@tributary/testing/engine/databases/database-pair.ts'
import { realClock } from '@tributary/testing/engine/sync/source-context.ts'
import type { SyncOutcome, SyncRunRequest } from './sync-request.ts'
import { sync } from './run.ts'

describe.each(['postgres', 'mysql'] as const)('from %s', (kind: EndKind) => {
  let source: DatabaseEnd
  let target: DatabaseEnd
  let connectorId: string
  let fence = 0
  beforeEach(async () => {
    connectorId = randomUUID()
    source = await makeEnd(kind, 'source')
    target = await makeEnd('postgres', 'target')
    for (const name of ['sale', 'stock']) {
      await source.run(`CREATE TABLE ${name} (id int PRIMARY KEY)`)
      await source.run(`INSERT INTO ${name} VALUES (1)`)
    }
  })
  afterEach(async () => {
    await source[Symbol.asyncDispose]()
    await target[Symbol.asyncDispose]()
  })

  function propertiesOf(tables: readonly string[]): Record<string, unknown> {
    const address = source.properties['source.connectionString'] as object
    return { ...target.properties, 'source.connectionString': { ...address, tables } }
  }

  async function run(tables: readonly string[], request: Partial<SyncRunRequest> = {}): Promise<SyncOutcome> {
    const { signal } = new AbortController()
    await using ends = await openBoth({ from: kind, to: 'postgres', properties: propertiesOf(tables) }, signal)
    const writer = { connectorId, runId: randomUUID(), fence: ++fence }
    const quiet = (): void => {}
    return await sync({
      ...ends,
      writer,
      syncMode: 'incremental',
      report: quiet,
      log: quiet,
      clock: realClock,
      signal,
      ...request,
    })
  }

  test('one that is gone fails the run, which names it; the others are moved, and its rows stay', async () => {
    const tables = ['sale', 'stock']
    expect(await run(tables)).toMatchObject({ status: 'completed' })
    await source.run('ALTER TABLE stock RENAME TO stock_of_old')
    await source.run('INSERT INTO sale VALUES (2)')
    expect(await run(tables)).toMatchObject({
      status: 'failed',
      fault: { kind: 'settings', code: 'engine.not_offered', notice: expect.stringMatching(/^stock: .*spelling/u) },
      streams: [{ progress: { phase: 'done' } }],
    })
    expect(await target.rows('sale')).toHaveLength(2)
    expect(await target.rows('stock')).toHaveLength(1)
  })

  test('one that is gone does not fail a run of the others', async () => {
    const streams = [kind === 'postgres' ? 'public.sale' : 'sale']
    expect(await run(['sale', 'gone'], { streams })).toMatchObject({ status: 'completed' })
  })

  test('the test of the connection names it', async () => {
    const { signal } = new AbortController()
    await using ends = await openBoth(
      { from: kind, to: 'postgres', properties: propertiesOf(['sale', 'gone']) },
      signal,
    )
    expect((await ends.source.check()).at(-1)).toMatchObject({
      outcome: 'failed',
      notice: expect.stringContaining('cannot see the table gone.'),
    })
  })

  test.each([
    ['of those chosen', ['gone']],
    ['at all', []],
  ])('without tables, %s, the run fails and nothing is reported as up to date', async (_, tables) => {
    for (const name of ['sale', 'stock']) await source.run(`DROP TABLE ${name}`)
    expect(await run(tables)).toMatchObject({ status: 'failed', fault: { kind: 'settings' }, streams: [] })
  })
})

test.each(['postgres', 'mysql'] as const)(
  'a table of %s that was moved before and may not be read any more fails the run with the GRANT, also where all are chosen',
  async (kind) => {
    const user = `poor_${randomUUID().slice(0, 8)}`
    await using pair = await makeDatabasePair(kind, 'postgres', [...numbers('stays'), ...numbers('taken')])
    const { source, target, logLines: told, run } = pair
    const address = source.properties['source.connectionString'] as { readonly database: string }
    const [account, at] = kind === 'postgres' ? [user, 'public.'] : [`'${user}'@'%'`, `${address.database}.`]
    const made =
      kind === 'postgres'
        ? `CREATE ROLE ${user} LOGIN PASSWORD 'canary-poor'`
        : `CREATE USER ${account} IDENTIFIED BY 'canary-poor'`
    await source.run(made)
    for (const table of ['stays', 'taken']) await source.run(`GRANT SELECT ON ${at}${table} TO ${account}`)
    const properties = { 'source.connectionString': { ...address, user, password: 'canary-poor' } }
    expect(await run({}, properties)).toMatchObject({ status: 'completed' })
    await source.run(`REVOKE SELECT ON ${at}taken FROM ${account}`)
    await source.run('INSERT INTO stays VALUES (3)')

    const name = kind === 'postgres' ? 'public.taken' : 'taken'
    const outcome = await run({ movedBefore: [name, kind === 'postgres' ? 'public.stays' : 'stays'] }, properties)
    expect(outcome).toMatchObject({
      status: 'failed',
      fault: {
        kind: 'settings',
        code: 'engine.not_readable',
        notice: expect.stringContaining(`${name}: The user may not read it any more`),
      },
      streams: [{ progress: { phase: 'done' } }],
    })
    expect(await target.rows('stays')).toHaveLength(3)
    expect(await target.rows('taken')).toHaveLength(2)
    // PostgreSQL shows what is hidden; MySQL does not.
    expect(told.some((line) => line.startsWith('Not moved, because the user may not read them: public.taken.'))).toBe(
      kind === 'postgres',
    )
    for (const statement of outcome.fault?.remedy?.split('\n') ?? []) await source.run(statement)
    expect(await run({ movedBefore: [name] }, properties)).toMatchObject({ status: 'completed' })
    await source.run(kind === 'postgres' ? `DROP OWNED BY ${user}; DROP ROLE ${user}` : `DROP USER ${account}`)
  },
)
