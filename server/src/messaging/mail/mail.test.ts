import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { startWorker, type Worker } from '../../worker.ts'
import { systemClock } from '../../kernel/clock.ts'
import { findAuditEvents } from '@tributary/testing/server/app/audit-log.ts'
import { refusal, startMailServer, type TestMailServer } from '@tributary/testing/server/identity/mail-server.ts'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import type { EmailContent } from '../../kernel/mail/email-content.ts'
import {
  confirmSignUp,
  requestReceived,
  resetPassword,
  signInCode,
} from '../../identity/people/account-email-templates.ts'
import { renderEmail } from './render-email.ts'
import { sendNext } from './send-due-mails.ts'
import { openMailServer } from './smtp.ts'

const masterKey = randomBytes(32)
const publicUrl = 'https://tributary.example'
const link = `${publicUrl}/reset-password/redeem/canary-token`
const production = (port: number) => ({
  TRIBUTARY_MODE: 'production',
  TRIBUTARY_PUBLIC_URL: publicUrl,
  TRIBUTARY_SMTP_URL: `smtp://127.0.0.1:${port}`,
})

let smtp: TestMailServer
let app: TestApp
let worker: Worker
beforeAll(async () => {
  smtp = await startMailServer()
  app = await testApp({ env: production(smtp.port), keys: { current: masterKey, old: [] } })
  worker = await startSending()
})
afterAll(async () => {
  await worker.stop()
  await app[Symbol.asyncDispose]()
  await smtp[Symbol.asyncDispose]()
})
beforeEach(() => {
  smtp.received.length = 0
  smtp.checkMail = () => undefined
  smtp.checkRecipient = () => undefined
})

function startSending(services = app.services): Promise<Worker> {
  return startWorker({ ...services, clock: systemClock }, { leaseMs: 5_000, pollMs: 200 })
}

const enqueue = (recipient: string, content: EmailContent = resetPassword(link), at = app) =>
  at.store.across((db) => at.services.mailer.enqueue(db, recipient, content))

const rowOf = (recipient: string, at = app) =>
  at.store.across((db) =>
    db.selectFrom('mail').selectAll().where('recipient', '=', recipient).executeTakeFirstOrThrow(),
  )

/** Ends the wait for the next attempt. */
const makeDue = (recipient: string) =>
  app.store.across((db) =>
    db
      .updateTable('mail')
      .set({ nextAttemptAt: new Date(0) })
      .where('recipient', '=', recipient)
      .execute(),
  )

const isSent = ({ sentAt }: { sentAt: string | null }) => sentAt !== null

function receivedBy(recipient: string) {
  return smtp.received.filter(({ recipients }) => recipients.includes(recipient))
}

describe('a mail', () => {
  test('is sent as text and HTML as soon as its transaction commits, and its body is deleted', async () => {
    const content = confirmSignUp({ firstName: 'Zoë', code: '042137', url: `${publicUrl}/signup/finalise?code=a&b=1` })
    await enqueue('zoe@canary.example', content)
    const row = await until(() => rowOf('zoe@canary.example'), isSent)
    expect(row).toMatchObject({ body: null, attempts: 1, lastError: null })
    const [{ email, recipients } = {}] = receivedBy('zoe@canary.example')
    expect(recipients).toEqual(['zoe@canary.example'])
    expect(email).toMatchObject({
      from: { name: 'Tributary', address: 'no-reply@tributary.example' },
      to: [{ address: 'zoe@canary.example' }],
      subject: 'Confirm your email address',
      messageId: row.messageId,
    })
    expect(row.messageId).toMatch(/^<[0-9a-f-]{36}@tributary\.example>$/u)
    expect(Date.parse(email?.date ?? '')).toBe(Math.floor(Date.parse(row.createdAt) / 1_000) * 1_000)
    const headers = Object.fromEntries(email?.headers.map(({ key, value }) => [key, value]) ?? [])
    expect(headers).toMatchObject({ 'auto-submitted': 'auto-generated', 'x-auto-response-suppress': 'All' })
    expect(email?.text).toContain('Hello Zoë,')
    expect(email?.text).toMatch(/^ {4}042137$/mu)
    expect(email?.text).toContain(`Confirm my address:\n${publicUrl}/signup/finalise?code=a&b=1`)
    expect(email?.html).toContain('>042137</div>')
    expect(email?.html).toContain(`<a href="${publicUrl}/signup/finalise?code=a&#38;b=1"`)
    expect(email?.attachments).toEqual([])
  })

  test('of a transaction that is rolled back is never sent', async () => {
    const rolledBack = app.store.across(async (db) => {
      await app.services.mailer.enqueue(db, 'rolled-back@canary.example', resetPassword(link))
      throw new Error('Something else went wrong.')
    })
    await expect(rolledBack).rejects.toThrow('Something else')
    await enqueue('done@canary.example')
    await until(() => rowOf('done@canary.example'), isSent)
    expect(smtp.received.map(({ recipients }) => recipients)).toEqual([['done@canary.example']])
  })

  test('contains what people typed as plain text: no header, no markup, no foreign link, no second recipient', async () => {
    const content = {
      template: 'hostile',
      subject: 'Ann\r\nBcc: thief@canary.example\u2028invites you',
      paragraphs: [
        '<img src=x onerror=alert(1)> & "Co"',
        `See https://evil.example/a or ${publicUrl}/b`,
        `${publicUrl}.evil.example/c`,
      ],
    }
    await enqueue('one@canary.example, two@canary.example', content)
    await until(
      () => rowOf('one@canary.example, two@canary.example'),
      ({ attempts }) => attempts > 0,
    )
    expect(smtp.received.filter(({ recipients }) => recipients.length > 1)).toEqual([])
    await enqueue('ann@canary.example', content)
    await until(() => rowOf('ann@canary.example'), isSent)
    const [{ email, recipients, raw } = {}] = receivedBy('ann@canary.example')
    expect(recipients).toEqual(['ann@canary.example'])
    expect(email?.subject).toBe('Ann Bcc: thief@canary.example invites you')
    expect(raw).not.toMatch(/^bcc/imu)
    expect(email?.html).toContain('&#60;img src=x onerror=alert(1)&#62; &#38; &#34;Co&#34;')
    expect([...(email?.html ?? '').matchAll(/href="([^"]+)"/gu)].map(([, href]) => href)).toEqual([
      `${publicUrl}/b`,
      publicUrl,
    ])
  })
})

describe('a failed attempt', () => {
  test('is retried with the same Message-ID and a growing wait', async () => {
    smtp.checkMail = () => {
      throw refusal(451, 'canary@canary.example is busy')
    }
    await enqueue('busy@canary.example')
    const first = await until(
      () => rowOf('busy@canary.example'),
      ({ lastError }) => lastError !== null,
    )
    expect(first).toMatchObject({ attempts: 1, lastError: 'EMESSAGE 451', sentAt: null, gaveUpAt: null })
    expect(waitOf(first)).toBeLessThanOrEqual(60)
    await makeDue('busy@canary.example')
    const second = await until(
      () => rowOf('busy@canary.example'),
      // An attempt is counted before it begins.
      ({ attempts }) => attempts === 2 && receivedBy('busy@canary.example').length === 2,
    )
    expect(waitOf(second)).toBeGreaterThan(60)
    expect(waitOf(second)).toBeLessThanOrEqual(120)
    smtp.checkMail = () => undefined
    await makeDue('busy@canary.example')
    await until(() => rowOf('busy@canary.example'), isSent)
    expect(receivedBy('busy@canary.example').map(({ email }) => email.messageId)).toEqual([
      first.messageId,
      first.messageId,
      first.messageId,
    ])
  })

  test('is the last one if the recipient is refused, and the audit log records it without the address', async () => {
    smtp.checkRecipient = (address) => {
      throw refusal(550, `<${address}> is not known here`)
    }
    await enqueue('unknown@canary.example', signInCode('739182'))
    const row = await until(
      () => rowOf('unknown@canary.example'),
      ({ gaveUpAt }) => gaveUpAt !== null,
    )
    expect(row).toMatchObject({ attempts: 1, lastError: 'EENVELOPE 550', body: null, sentAt: null })
    smtp.checkRecipient = () => undefined
    smtp.checkMail = () => {
      throw refusal(554, 'Nothing of that kind for <full@canary.example>')
    }
    await enqueue('full@canary.example')
    expect(
      await until(
        () => rowOf('full@canary.example'),
        ({ gaveUpAt }) => gaveUpAt !== null,
      ),
    ).toMatchObject({ lastError: 'EMESSAGE 554' })
    const events = await findAuditEvents(app.store, 'mail.given_up')
    expect(events.find(({ objectId }) => objectId === row.id)).toMatchObject({
      outcome: 'failure',
      actorId: null,
      organisationId: null,
      detail: { template: 'sign-in-code', attempts: 1, reason: 'EENVELOPE 550' },
    })
    expect(JSON.stringify(events)).not.toContain('canary.example')
  })

  test('is retried after the mail server was down', async () => {
    const stopped = await startMailServer()
    await stopped[Symbol.asyncDispose]()
    const sender = await testApp({ env: production(stopped.port) })
    const sending = await startSending(sender.services)
    await enqueue('patient@canary.example', resetPassword(link), sender)
    const failed = await until(
      () => rowOf('patient@canary.example', sender),
      ({ lastError }) => lastError !== null,
    )
    expect(failed).toMatchObject({ sentAt: null, gaveUpAt: null, lastError: expect.stringMatching(/^E[A-Z]+$/u) })
    await using restarted = await startMailServer({ port: stopped.port })
    await sender.store.across((db) =>
      db
        .updateTable('mail')
        .set({ nextAttemptAt: new Date(0) })
        .execute(),
    )
    await until(() => rowOf('patient@canary.example', sender), isSent)
    expect(restarted.received.map(({ email }) => email.messageId)).toEqual([failed.messageId])
    await sending.stop()
    await sender[Symbol.asyncDispose]()
  })

  test('is the last one after a day', async () => {
    await using closed = await testApp({ env: production(1) })
    await enqueue('never@canary.example', resetPassword(link), closed)
    const unreachable = openMailServer('smtp://127.0.0.1:1', 'no-reply@tributary.example')
    let waited = 0
    for (;;) {
      await sendNext(closed.services, unreachable)
      const row = await rowOf('never@canary.example', closed)
      if (row.gaveUpAt !== null) break
      waited += waitOf(row)
      await closed.store.across((db) =>
        db
          .updateTable('mail')
          .set({ nextAttemptAt: new Date(0) })
          .execute(),
      )
    }
    unreachable.close()
    expect(waited / 3_600).toBeGreaterThan(24)
    expect(waited / 3_600).toBeLessThan(25)
    expect((await rowOf('never@canary.example', closed)).body).toBeNull()
  })
})

test('no line of the log holds the address, the code or the link of a mail', () => {
  const text = app.logLines.join('')
  expect(text).toContain('a mail could not be sent')
  expect(text).not.toMatch(/canary|042137|739182/u)
})

/** Returns the seconds until the next attempt. PostgreSQL uses the same clock. */
function waitOf({ nextAttemptAt }: { readonly nextAttemptAt: string }): number {
  return (Date.parse(nextAttemptAt) - Date.now()) / 1_000
}

test('an organisation whose name is a domain becomes no link, in text or HTML', () => {
  const { text, html } = renderEmail(
    requestReceived({ firstName: 'Nora', companyName: 'evil.example' }),
    'https://portal.example',
  )
  for (const rendered of [text, html]) {
    expect(rendered).toContain('evil.\u2060example')
    expect(rendered).not.toContain('evil.example')
  }
  expect(text).toContain('https://portal.example')
})
