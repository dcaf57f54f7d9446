import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest'
import { startWorker, type Worker } from '../../worker.ts'
import { systemClock } from '../../kernel/clock.ts'
import { startMailServer, type TestMailServer } from '@tributary/testing/server/identity/mail-server.ts'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'
import { spawnWorker } from '@tributary/testing/server/processes/spawn-worker.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'
import { resetPassword } from '../../identity/people/account-email-templates.ts'
import { sendNext } from './send-due-mails.ts'
import { openMailServer } from './smtp.ts'

const masterKey = randomBytes(32)
const publicUrl = 'https://tributary.example'
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
})

function startSending(): Promise<Worker> {
  return startWorker({ ...app.services, clock: systemClock }, { leaseMs: 5_000, pollMs: 200 })
}

const enqueue = (recipient: string) =>
  app.store.across((db) =>
    app.services.mailer.enqueue(db, recipient, resetPassword(`${publicUrl}/reset-password/redeem/canary-token`)),
  )

const rowOf = (recipient: string) =>
  app.store.across((db) =>
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

describe('concurrent senders', () => {
  test('send each mail once', async () => {
    const other = await startSending()
    const recipients = Array.from({ length: 30 }, (_, number) => `many${number}@canary.example`)
    await Promise.all(recipients.map((recipient) => enqueue(recipient)))
    for (const recipient of recipients) await until(() => rowOf(recipient), isSent)
    expect(smtp.received.map((mail) => mail.recipients[0]).toSorted()).toEqual(recipients.toSorted())
    await other.stop()
  })

  test('send a mail once if they claim it at the same time', async () => {
    await worker.stop()
    await enqueue('wanted@canary.example')
    const server = openMailServer(production(smtp.port).TRIBUTARY_SMTP_URL, 'no-reply@tributary.example')
    const claimed = await Promise.all(Array.from({ length: 6 }, () => sendNext(app.services, server)))
    server.close()
    worker = await startSending()
    expect(claimed.filter(Boolean)).toHaveLength(1)
    expect(receivedBy('wanted@canary.example')).toHaveLength(1)
  })

  test('send a mail twice with the same Message-ID if one is killed after the server accepted it', async () => {
    await worker.stop()
    const { host, port } = inject('postgres')
    const installation = {
      connection: app.connection,
      warehouse: app.services.warehouse,
      masterKey: masterKey.toString('base64'),
    }
    const env = production(smtp.port)
    await using doomed = await spawnWorker({
      ...installation,
      env,
      allowHosts: [`${host}:${port}`],
      options: { pollMs: 200 },
    })
    smtp.checkMail = () => doomed.kill('SIGKILL')
    await enqueue('twice@canary.example')
    const unmarked = await until(
      () => rowOf('twice@canary.example'),
      () => receivedBy('twice@canary.example').length === 1,
    )
    expect(unmarked).toMatchObject({ sentAt: null, attempts: 1 })
    smtp.checkMail = () => undefined
    worker = await startSending()
    await makeDue('twice@canary.example')
    await until(() => rowOf('twice@canary.example'), isSent)
    expect(receivedBy('twice@canary.example').map(({ email }) => email.messageId)).toEqual([
      unmarked.messageId,
      unmarked.messageId,
    ])
  })
})
