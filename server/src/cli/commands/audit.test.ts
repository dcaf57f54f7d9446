import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { testAction } from '@tributary/testing/server/app/audit-log.ts'
import { testConsole, type TestConsole } from '@tributary/testing/server/cli/admin-console.ts'
import { systemAuditContext } from '../../kernel/audit-context.ts'

let console: TestConsole
beforeAll(async () => {
  console = await testConsole()
})
afterAll(() => console[Symbol.asyncDispose]())

interface VerifyOutput {
  readonly organisation: string | null
  readonly events: number
  readonly brokenAt: number | null
  readonly last: { readonly at: string; readonly hash: string } | null
}

async function verify(...words: readonly string[]) {
  const { code, json } = await console.run('audit', 'verify', ...words, '--json')
  return { code, found: json<readonly VerifyOutput[]>() }
}

function record(count: number, organisationId: string): Promise<void> {
  const { store, services } = console.app
  return store.across(async (db) => {
    for (let number = 0; number < count; number += 1)
      await services.audit.record(db, systemAuditContext, {
        organisationId,
        action: testAction('thing.done'),
        outcome: 'success',
        detail: { number },
      })
  })
}

/** Changes events as the owner of the database can. */
async function tamper(statement: ReturnType<typeof sql>): Promise<void> {
  await console.app.store.across(async (db) => {
    await sql`ALTER TABLE auditEvent DISABLE TRIGGER USER`.execute(db)
    await statement.execute(db)
    await sql`ALTER TABLE auditEvent ENABLE TRIGGER USER`.execute(db)
  })
}

async function nth(
  position: number,
  organisationId: string,
): Promise<{ readonly id: number; readonly hash: Buffer } | undefined> {
  return console.app.store.across((db) =>
    db
      .selectFrom('auditEvent')
      .select(['id', 'hash'])
      .where('organisationId', '=', organisationId)
      .orderBy('id')
      .offset(position)
      .limit(1)
      .executeTakeFirst(),
  )
}

test('audit verify proves a long chain, and names the first event that was changed or whose predecessor is missing', async () => {
  const { harbour, summit } = console.app
  await record(1_203, harbour.id)
  await record(3, summit.id)
  const whole = await verify()
  expect(whole.code).toBe(0)
  expect(whole.found.map(({ organisation, brokenAt }) => [organisation, brokenAt])).toEqual(
    expect.arrayContaining([
      [null, null],
      [harbour.key, null],
      [summit.key, null],
    ]),
  )
  const [one] = (await verify(harbour.key)).found
  const last = await nth(1_202, harbour.id)
  expect(one).toMatchObject({ organisation: harbour.key, events: 1_203, last: { hash: last?.hash.toString('hex') } })

  const changed = await nth(1_100, harbour.id)
  await tamper(sql`UPDATE auditEvent SET action = 'thing.undone' WHERE id = ${changed?.id}`)
  const verified = await console.run('audit', 'verify', harbour.key)
  expect([verified.code, verified.stdout]).toEqual([
    1,
    expect.stringContaining(`broken: event ${changed?.id} was changed, or the one before it is missing`),
  ])

  const [taken, after] = [await nth(40, harbour.id), await nth(41, harbour.id)]
  await tamper(sql`DELETE FROM auditEvent WHERE id = ${taken?.id}`)
  const [broken, others] = [await verify(harbour.key), await verify(summit.key)]
  expect([broken.code, broken.found[0]]).toMatchObject([1, { brokenAt: after?.id, events: 40 }])
  // The chains are independent of each other.
  expect([others.code, others.found[0]]).toMatchObject([0, { brokenAt: null, events: 3 }])
})

test('an event removed from the end shows in the last hash', async () => {
  const { summit } = console.app
  const [noted] = (await verify(summit.key)).found
  await tamper(sql`DELETE FROM auditEvent WHERE id = ${(await nth((noted?.events ?? 0) - 1, summit.id))?.id}`)
  const [now] = (await verify(summit.key)).found
  expect(now).toMatchObject({ brokenAt: null, events: (noted?.events ?? 0) - 1 })
  expect(now?.last?.hash).not.toBe(noted?.last?.hash)
})

test('audit verify names an unknown organisation in its error', async () => {
  const { code, stderr } = await console.run('audit', 'verify', 'nowhere')
  expect([code, stderr]).toEqual([1, expect.stringContaining('nowhere')])
})
