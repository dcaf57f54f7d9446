import { mailbox } from '@tributary/contract/mailbox'
import { expect, test } from 'vitest'
import { resetPassword, signInCode } from '../../identity/people/account-email-templates.ts'
import { deleteExpired, mailboxMax } from '../../security/retention/delete-expired.ts'
import { testApp } from '@tributary/testing/server/app/test-app.ts'

test('[API-1 GET /mailbox] a trial shows every mail it would have sent, newest first, without signing in', async () => {
  await using app = await testApp()
  const enqueueCode = (to: string, code: string) =>
    app.store.across((db) => app.services.mailer.enqueue(db, to, signInCode(code)))
  await enqueueCode('first@demo.example', '111111')
  await enqueueCode('second@demo.example', '222222')
  const { status, body } = await app.as.visitor.call(mailbox.list)
  expect(status).toBe(200)
  expect(body.map(({ To, Subject }) => [To, Subject])).toEqual([
    ['second@demo.example', '222222 is your Tributary code'],
    ['first@demo.example', '111111 is your Tributary code'],
  ])
  expect(body[0]).toMatchObject({
    Text: expect.stringContaining('\n    222222\n'),
    Html: expect.stringContaining('>222222</div>'),
  })
  expect(body[0]?.CreatedAtUtc).toMatch(/Z$/u)
})

test('a trial’s mailbox keeps only the latest mails', async () => {
  await using app = await testApp()
  for (let number = 0; number < mailboxMax + 3; number += 1)
    await app.store.across((db) => app.services.mailer.enqueue(db, `${number}@demo.example`, signInCode('123456')))
  await deleteExpired(app.services)
  const left = await app.store.across((db) => db.selectFrom('mail').select('recipient').orderBy('createdAt').execute())
  expect([left.length, left[0]?.recipient]).toEqual([mailboxMax, '3@demo.example'])
  expect((await app.as.visitor.call(mailbox.list)).body).toHaveLength(mailboxMax)
})

test('in production there is no mailbox, not even for the provider', async () => {
  await using app = await testApp({
    env: { TRIBUTARY_MODE: 'production', TRIBUTARY_PUBLIC_URL: 'https://tributary.example' },
  })
  await app.store.across((db) =>
    app.services.mailer.enqueue(db, 'a@demo.example', resetPassword('https://tributary.example/x')),
  )
  for (const role of ['visitor', 'superadmin'] as const)
    expect(await app.as[role].call(mailbox.list)).toMatchObject({ status: 404, body: { code: 'notFound' } })
})
