import { type RawBuilder, sql } from 'kysely'
import { expect, test } from 'vitest'
import { systemAuditContext } from '../../kernel/audit-context.ts'
import { verifyAuditChain } from '../audit/verify-chain.ts'
import { deleteExpired } from './delete-expired.ts'
import { testAction } from '@tributary/testing/server/app/audit-log.ts'
import type { Store } from '../../kernel/store/store.ts'
import { testApp } from '@tributary/testing/server/app/test-app.ts'

const dayMs = 86_400_000

test('only expired audit events are deleted, and the remaining chain is intact', async () => {
  await using own = await testApp()
  const note = (action: string) =>
    own.store.across((db) =>
      own.services.audit.record(db, systemAuditContext, {
        organisationId: own.harbour.id,
        action: testAction(action),
        outcome: 'success',
      }),
    )
  const actions = () =>
    own.store.across(async (db) => {
      const events = await db
        .selectFrom('auditEvent')
        .select('action')
        .where('action', 'like', 'kept.%')
        .orderBy('id')
        .execute()
      return events.map(({ action }) => action)
    })
  const broken = async () => (await verifyAuditChain(own.store, own.harbour.id)).brokenAt
  await note('kept.first')
  await note('kept.second')
  own.clock.advance(300 * dayMs)
  await note('kept.third')
  own.clock.advance(101 * dayMs)
  await deleteExpired(own.services)
  expect([await actions(), await broken()]).toEqual([['kept.third'], null])
  own.clock.advance(500 * dayMs)
  await deleteExpired(own.services)
  await note('kept.fourth')
  expect([await actions(), await broken()]).toEqual([['kept.third', 'kept.fourth'], null])
  // The remaining events are still immutable.
  const take = (statement: RawBuilder<unknown>) => own.store.across((db) => statement.execute(db))
  await expect(take(sql`DELETE FROM auditEvent WHERE action = 'kept.fourth'`)).rejects.toThrow('only ever added to')
  await expect(take(sql`UPDATE auditEvent SET action = 'x' WHERE action = 'kept.fourth'`)).rejects.toThrow(
    'only ever added to',
  )
})

test('[SCALE-4] retention reads the audit logs of all organisations at once, not one after the other', async () => {
  await using own = await testApp()
  let transactions = 0
  const { across } = own.services.store
  const store: Store = {
    ...own.services.store,
    across(work) {
      transactions += 1
      return across(work)
    },
  }
  const countTransactions = async () => {
    transactions = 0
    await deleteExpired({ ...own.services, store })
    return transactions
  }
  const few = await countTransactions()
  await own.store.across((db) =>
    sql`INSERT INTO organisation (companyName, key, timeZone) SELECT 'Many ' || n, 'many-' || n, 'UTC' FROM generate_series(1, 300) n`.execute(
      db,
    ),
  )
  expect(await countTransactions()).toBe(few)
})
