import { expect, test } from 'vitest'
import type { Store } from '../../kernel/store/store.ts'
import { testApp } from '@tributary/testing/server/app/test-app.ts'
import { Verifications } from './verification-codes.ts'
import { revokePendingSignIns } from '../people/revoke-sign-in-methods.ts'

test('a new password ends a verification whose attempt was counted but not yet checked', async () => {
  await using app = await testApp()
  const { clock, throttle, serverKeys: keys, store } = app.services
  const userId = app.idOf('user')
  let calls = 0
  /** Sets a new password after the verification was found and its attempt counted. */
  const interrupted = {
    across: async <T>(work: Parameters<Store['across']>[0]) => {
      const result = await store.across(work)
      calls += 1
      if (calls === 2) await store.across((db) => revokePendingSignIns(db, clock, userId))
      return result as T
    },
  } as unknown as Store
  const verifications = new Verifications({ store: interrupted, clock, throttle, keys })
  const reference = await store.across((db) => verifications.create(db, { context: 'mfa', userId, sendTo: null }))
  const answered = await verifications.submit(
    { reference, context: 'mfa' },
    {
      check: () => Promise.resolve(true),
      onVerified: () => Promise.resolve('signed in'),
      onRejected: () => Promise.resolve(),
    },
  )
  expect([calls, answered]).toEqual([3, null])
})
