import { randomBytes } from 'node:crypto'
import { expect, test } from 'vitest'
import { isoTime } from '../../kernel/clock.ts'
import { hashOf } from '../secrets/one-time-codes.ts'
import { resetPassword } from '../../identity/people/account-email-templates.ts'
import { deleteExpired } from './delete-expired.ts'
import { testApp } from '@tributary/testing/server/app/test-app.ts'

const dayMs = 86_400_000

test('sent emails and expired codes are deleted after thirty days; unsent emails stay', async () => {
  await using app = await testApp({
    env: { TRIBUTARY_MODE: 'production', TRIBUTARY_PUBLIC_URL: 'https://tributary.example' },
  })
  const { clock, store } = app
  const ended = isoTime(clock.now())
  await store.across(async (db) => {
    for (const recipient of ['sent', 'given up', 'waiting'])
      await app.services.mailer.enqueue(db, recipient, resetPassword('https://tributary.example/x'))
    await db.updateTable('mail').set({ sentAt: ended }).where('recipient', '=', 'sent').execute()
    await db.updateTable('mail').set({ gaveUpAt: ended }).where('recipient', '=', 'given up').execute()
    for (const expiresAt of [ended, isoTime(clock.now() + 10 * dayMs)]) {
      const code = { purpose: 'reset', subjectId: app.idOf('user'), expiresAt } as const
      await db
        .insertInto('linkCode')
        .values({ ...code, codeHash: hashOf(expiresAt) })
        .execute()
      await db
        .insertInto('verification')
        .values({ referenceHash: hashOf(expiresAt), context: 'mfa', expiresAt })
        .execute()
      await db
        .insertInto('captchaUsed')
        .values({ challengeHash: randomBytes(32), expiresAt })
        .execute()
    }
  })
  const left = () =>
    store.across(async (db) => ({
      mail: (await db.selectFrom('mail').select('recipient').orderBy('recipient').execute()).map(
        ({ recipient }) => recipient,
      ),
      codes: (await db.selectFrom('linkCode').select('codeHash').execute()).length,
      verifications: (await db.selectFrom('verification').select('referenceHash').execute()).length,
      captchas: (await db.selectFrom('captchaUsed').select('challengeHash').execute()).length,
    }))

  clock.advance(29 * dayMs)
  await deleteExpired(app.services)
  expect(await left()).toEqual({ mail: ['given up', 'sent', 'waiting'], codes: 2, verifications: 2, captchas: 2 })
  clock.advance(2 * dayMs)
  await deleteExpired(app.services)
  expect(await left()).toEqual({ mail: ['waiting'], codes: 1, verifications: 1, captchas: 1 })
})
