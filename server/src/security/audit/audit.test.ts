import { type RawBuilder, sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { systemAuditContext, withActor } from '../../kernel/audit-context.ts'
import { hashOf } from './personal-fields.ts'
import { upgradeAuditChains } from './upgrade-chain.ts'
import { verifyAuditChain } from './verify-chain.ts'
import { deleteOldAuditEvents } from './audit.ts'
import { isoTime } from '../../kernel/clock.ts'
import { deleteExpired } from '../retention/delete-expired.ts'
import type { Store } from '../../kernel/store/store.ts'
import { testAction } from '@tributary/testing/server/app/audit-log.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app[Symbol.asyncDispose]())

const run = async <T>(statement: RawBuilder<T>) => (await app.store.across((db) => statement.execute(db))).rows
const broken = async (organisationId: string | null = app.harbour.id) =>
  (await verifyAuditChain(app.store, organisationId)).brokenAt
const addressOf = (number: number) => `203.0.113.${number % 250}`
const contextOf = (number: number, userId = app.idOf('user')) => ({
  ...withActor(systemAuditContext, { userId }),
  address: addressOf(number),
})

function record(number: number): Promise<void> {
  const event = {
    organisationId: app.harbour.id,
    action: testAction('thing.done'),
    outcome: 'success',
    detail: { number, description: 'Firefox' },
  } as const
  return app.store.across((db) => app.services.audit.record(db, contextOf(number), event))
}

/** As an earlier version wrote it. */
async function recordAsBefore(from: number, to: number): Promise<void> {
  await app.store.across(async (db) => {
    for (let number = from; number < to; number += 1) {
      const former = await db
        .selectFrom('auditEvent')
        .select('hash')
        .where('organisationId', '=', app.harbour.id)
        .orderBy('id', 'desc')
        .limit(1)
        .executeTakeFirst()
      const about = {
        action: 'thing.done',
        objectType: null,
        objectId: null,
        outcome: 'success',
        formerHash: former?.hash ?? null,
      } as const
      const of = {
        actorId: app.idOf('user'),
        actorRole: null,
        sessionId: null,
        address: addressOf(number),
        reference: null,
        at: isoTime(app.clock.now()),
        organisationId: app.harbour.id,
        form: 1,
        personalHash: null,
      }
      const row = { ...of, ...about, detail: { number, description: 'Firefox' } }
      await db
        .insertInto('auditEvent')
        .values({ ...row, detail: JSON.stringify(row.detail), hash: hashOf(row) })
        .execute()
    }
  })
}

const forms = () =>
  run(sql<{ form: number; count: number }>`SELECT form, count(*)::int FROM auditEvent GROUP BY 1 ORDER BY 1`)
const said = () =>
  run(sql<{ number: number; address: string; description: string }>`
    SELECT (detail ->> 'number')::int AS number, fields ->> 'address' AS address, fields ->> 'description' AS description
    FROM auditEvent JOIN auditPersonal ON eventId = auditEvent.id ORDER BY auditEvent.id`)
const expected = (count: number) =>
  Array.from({ length: count }, (_, number) => ({ number, address: addressOf(number), description: 'Firefox' }))

describe('personal fields of the audit log', () => {
  test('are stored separately, can be deleted without breaking the chain, and cannot be changed unnoticed', async () => {
    for (const number of [0, 1, 2]) await record(number)
    expect(await said()).toEqual(expected(3))
    expect(JSON.stringify(await run(sql`SELECT * FROM auditEvent`))).not.toMatch(/203\.0\.113|Firefox/u)
    await run(sql`DELETE FROM auditPersonal WHERE fields ->> 'address' = ${addressOf(1)}`)
    expect(await broken()).toBeNull()
    const [last] = await run(sql<{ id: number }>`SELECT max(id) AS id FROM auditEvent`)
    await run(
      sql`UPDATE auditPersonal SET fields = fields || '{"address": "203.0.113.99"}' WHERE eventId = ${last?.id}`,
    )
    expect(await broken()).toBe(last?.id)
  })

  test('have different hashes for equal addresses', async () => {
    await record(7)
    await record(7)
    const [hashes] = await run(
      sql<{ distinct: number }>`SELECT count(DISTINCT personalHash)::int AS distinct FROM auditEvent`,
    )
    expect(hashes).toEqual({ distinct: 2 })
  })

  test('of an erased person are deleted, also those of a call that was in progress', async () => {
    await run(
      sql`UPDATE portalUser SET erasedNumber = 1, erasedAt = ${isoTime(app.clock.now())} WHERE id = ${app.idOf('user')}`,
    )
    await record(0)
    await app.store.across((db) =>
      app.services.audit.record(db, contextOf(1, app.idOf('admin')), {
        organisationId: app.harbour.id,
        action: testAction('thing.done'),
        outcome: 'success',
        detail: { number: 1, description: 'Firefox' },
      }),
    )
    await deleteExpired(app.services)
    expect([await broken(), await said()]).toEqual([null, expected(2).slice(1)])
  })

  test('cannot be separated from an event twice', async () => {
    await recordAsBefore(0, 1)
    const change = (set: RawBuilder<unknown>) => run(sql`UPDATE auditEvent SET ${set}`)
    await expect(change(sql`form = 2, address = NULL, action = 'other.thing'`)).rejects.toThrow('only ever added to')
    await expect(change(sql`form = 2, address = NULL, actorId = NULL`)).rejects.toThrow('only ever added to')
    await expect(change(sql`form = 2, address = NULL, detail = '{"number": 9}'`)).rejects.toThrow('only ever added to')
    await upgradeAuditChains(app.store)
    await expect(change(sql`form = 2, address = NULL, detail = '{}'`)).rejects.toThrow('only ever added to')
    await expect(run(sql`TRUNCATE auditEvent CASCADE`)).rejects.toThrow('only ever added to')
  })
})

describe('events of an earlier version', () => {
  test('are upgraded in a chain that stays intact, also while a server of the earlier version writes', async () => {
    await recordAsBefore(0, 250)
    await record(250)
    await recordAsBefore(251, 300)
    await record(300)
    await recordAsBefore(301, 302)
    expect(await broken()).toBeNull()
    // Killed in each of its transactions.
    for (let kill = 2; kill < 5; kill += 1) {
      await expect(upgradeAuditChains(dyingAt(kill))).rejects.toThrow('killed')
      expect(await broken()).toBeNull()
      expect(await forms()).toHaveLength(2)
    }
    await Promise.all([upgradeAuditChains(app.store), upgradeAuditChains(app.store)])
    expect([await broken(), await forms(), await said()]).toEqual([null, [{ form: 2, count: 302 }], expected(302)])
    await record(302)
    expect(await broken()).toBeNull()
    expect(JSON.stringify(await run(sql`SELECT * FROM auditEvent`))).not.toMatch(/203\.0\.113|Firefox/u)
  })

  test.each([200, 210])(
    'also where the log is cleared away meanwhile, up to where they were brought or further (%i)',
    async (cleared) => {
      await recordAsBefore(0, cleared)
      app.clock.advance(401 * 86_400_000)
      await recordAsBefore(cleared, cleared + 205)
      await expect(upgradeAuditChains(dyingAt(3))).rejects.toThrow('killed')
      app.clock.advance(1)
      await app.store.across((db) =>
        deleteOldAuditEvents(db, app.harbour.id, { before: isoTime(app.clock.now() - 86_400_000), limit: 1_000 }),
      )
      expect(await broken()).toBeNull()
      await deleteExpired(app.services)
      expect([await broken(), await said()]).toEqual([null, expected(cleared + 205).slice(cleared)])
    },
  )

  test('lose the personal fields of people who have been erased', async () => {
    await recordAsBefore(0, 2)
    await run(
      sql`UPDATE portalUser SET erasedNumber = 1, erasedAt = ${isoTime(app.clock.now())} WHERE id = ${app.idOf('user')}`,
    )
    await upgradeAuditChains(app.store)
    expect([await broken(), await forms(), await said()]).toEqual([null, [{ form: 2, count: 2 }], []])
  })

  test('stay unchanged from the first manipulated one on, and the break is still detected', async () => {
    await recordAsBefore(0, 5)
    await run(sql`ALTER TABLE auditEvent DISABLE TRIGGER auditEventIsSealed`)
    const [changed] = await run(
      sql<{ id: number }>`UPDATE auditEvent SET action = 'thing.undone' WHERE detail ->> 'number' = '3' RETURNING id`,
    )
    await run(sql`ALTER TABLE auditEvent ENABLE TRIGGER auditEventIsSealed`)
    await upgradeAuditChains(app.store)
    expect([await broken(), await forms()]).toEqual([
      changed?.id,
      [
        { form: 1, count: 2 },
        { form: 2, count: 3 },
      ],
    ])
  })
})

/** A store whose nth transaction is rolled back at its end. */
function dyingAt(last: number): Store {
  let count = 0
  return {
    ...app.store,
    across: (work) =>
      app.store.across(async (db) => {
        const result = await work(db)
        count += 1
        if (count === last) throw new Error('killed')
        return result
      }),
  }
}
