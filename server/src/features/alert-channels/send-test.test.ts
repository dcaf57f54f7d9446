import { afterAll, beforeAll, expect, test } from 'vitest'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { startMailServer, type TestMailServer } from '@tributary/testing/server/identity/mail-server.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { testMail } from './send-test.ts'

let app: TestApp
let smtp: TestMailServer
beforeAll(async () => {
  app = await testApp()
  smtp = await startMailServer()
})
afterAll(async () => {
  await app[Symbol.asyncDispose]()
  await smtp[Symbol.asyncDispose]()
})

let callers = 0

/** As each a different person, because the tests of one are limited. */
function sendTest(smtpUrl: string) {
  callers += 1
  const userId = `00000000-0000-4000-8000-00000000${String(callers).padStart(4, '0')}`
  const actor = { userId, firstName: 'Amara', lastName: 'Okafor', emailAddress: 'admin@demo.example' } as Actor
  const config = {
    ...app.services.config,
    mode: 'production',
    smtpUrl,
    publicUrl: 'https://tributary.example',
  } as const
  return testMail({ ...app.services, config }, { organisationId: app.harbour.id, userId: null, actor })
}

test('[UX-ALERT-8] the test of mails reports that the mail server accepted one', async () => {
  expect(await sendTest(`smtp://127.0.0.1:${smtp.port}`)).toEqual({
    delivered: true,
    notice: 'The mail server accepted the test mail to admin@demo.example.',
  })
  const [mail] = smtp.received
  expect([mail?.recipients, mail?.email.subject]).toEqual([['admin@demo.example'], 'Test message from Tributary'])
  expect(mail?.email.text).toContain('Amara Okafor has sent this message')
  expect(mail?.email.text).toContain('Harbour Trading')
})

test('[UX-ALERT-8] the test of mails reports in words why one was refused, without the words of the mail server', async () => {
  const refusal = Object.assign(new Error('canary of the mail server'), { responseCode: 550 })
  smtp.checkRecipient = () => {
    throw refusal
  }
  const address = await sendTest(`smtp://127.0.0.1:${smtp.port}`)
  smtp.checkRecipient = () => undefined
  smtp.checkMail = () => {
    throw refusal
  }
  const refused = await sendTest(`smtp://127.0.0.1:${smtp.port}`)
  smtp.checkMail = () => undefined
  const nowhere = await sendTest('smtp://127.0.0.1:1')
  expect([address, refused, nowhere].map(({ delivered }) => delivered)).toEqual([false, false, false])
  expect(address.notice).toBe('The mail server does not accept mail to admin@demo.example (550).')
  expect(refused.notice).toBe('The mail server refused the test mail (550). Ask the operator of Tributary.')
  expect(nowhere.notice).toBe('The mail server did not answer. Ask the operator of Tributary.')
  expect(app.logLines.join('')).not.toContain('canary')
})

test('[UX-ALERT-8] the test of mails reports that the mail server refused the sign-in', async () => {
  await using guarded = await startMailServer({
    disabledCommands: ['STARTTLS'],
    authOptional: false,
    onAuth: (_auth, _session, answer) => answer(new Error('no')),
  })
  const { notice } = await sendTest(`smtps://someone:wrong@127.0.0.1:${guarded.port}`)
  expect(notice).toMatch(/Ask the operator of Tributary\.$/u)
})
