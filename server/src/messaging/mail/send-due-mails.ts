/**
 * Sends what the outbox holds: each mail at least once, always with the same Message-ID. To take a mail is to put its next
 * attempt off: whoever comes at the same moment finds nothing due, and a sender that dies leaves the mail to the next one.
 */
import { sql } from 'kysely'
import type { Metrics } from '../../kernel/telemetry/metrics.ts'
import type { EmailOutbox } from '../../kernel/mail/mailer.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { Config } from '../../kernel/config/config.ts'
import type { Audit } from '../../security/audit/audit.ts'
import { systemAuditContext } from '../../kernel/audit-context.ts'
import { SecretUnreadable } from '../../kernel/store/secret-unreadable.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import { renderEmail } from './render-email.ts'
import type { MailServer } from './smtp.ts'

export interface MailSendingServices {
  readonly audit: Audit
  readonly config: Config
  readonly log: Log
  readonly mailer: EmailOutbox
  readonly metrics: Metrics
  readonly store: Store
}

/** With the waits below the last attempt comes a day after the first. */
const attemptsMax = 14
const firstWaitMs = 60_000
const waitMaxMs = 4 * 3_600_000

/** Tries the mail that has been due longest, once. Answers false where none is due. Does not throw for a mail that cannot be sent. */
export async function sendNext(services: MailSendingServices, server: MailServer): Promise<boolean> {
  // Across, here and below: mail belongs to no organisation.
  const mail = await services.store.across(claimNext)
  if (mail === undefined) return false
  const failure = await trySending(services, server, mail)
  await services.store.across((db) =>
    failure === null ? markSent(db, mail.id) : markFailed(db, services, mail, failure),
  )
  return true
}

interface ClaimedMail {
  readonly id: string
  readonly messageId: string
  readonly recipient: string
  readonly template: string
  readonly body: string | null
  readonly createdAt: string
  /** This one included. */
  readonly attempts: number
}

function claimNext(db: Db): Promise<ClaimedMail | undefined> {
  const next = db
    .selectFrom('mail')
    .select('id')
    .where('sentAt', 'is', null)
    .where('gaveUpAt', 'is', null)
    .where('nextAttemptAt', '<=', sql<string>`now()`)
    .orderBy('nextAttemptAt')
    .limit(1)
    .forUpdate()
    .skipLocked()
  const waitMs = sql`least(${firstWaitMs} * 2 ^ attempts, ${waitMaxMs})`
  return db
    .updateTable('mail')
    .set({ attempts: sql`attempts + 1`, nextAttemptAt: sql`now() + ${waitMs} * interval '1 millisecond'` })
    .where('id', '=', next)
    .returning(['id', 'messageId', 'recipient', 'template', 'body', 'createdAt', 'attempts'])
    .executeTakeFirst()
}

interface MailFailure {
  /** Kept in the row and told to the log. Never the server's words, which repeat the address. */
  readonly reason: string
  readonly isFinal: boolean
}

async function trySending(
  { config, mailer, store }: MailSendingServices,
  server: MailServer,
  mail: ClaimedMail,
): Promise<MailFailure | null> {
  try {
    const letter = await store.across((db) => mailer.decrypt(db, mail))
    await server.send({ ...mail, writtenAt: mail.createdAt, ...renderEmail(letter, config.publicUrl) })
    return null
  } catch (error) {
    return failureOf(error)
  }
}

function failureOf(error: unknown): MailFailure {
  if (error instanceof SecretUnreadable) return { reason: error.code, isFinal: true }
  const { code, command, responseCode = 0 } = error as { code?: string; command?: string; responseCode?: number }
  // A sender or a password that is refused is ours to mend, and then the mail can go; a recipient or a content is not.
  const isFinal = responseCode >= 500 && (command === 'RCPT TO' || command === 'DATA')
  const reason = [code ?? (error instanceof Error ? error.name : 'unknown'), responseCode === 0 ? '' : responseCode]
    .join(' ')
    .trim()
  return { reason, isFinal }
}

async function markSent(db: Db, id: string): Promise<void> {
  await db
    .updateTable('mail')
    .set({ sentAt: sql`now()`, body: null, lastError: null })
    .where('id', '=', id)
    .execute()
}

async function markFailed(
  db: Db,
  { audit, log, metrics }: MailSendingServices,
  mail: ClaimedMail,
  { reason, isFinal }: MailFailure,
): Promise<void> {
  const { id, template, attempts } = mail
  const isOver = isFinal || attempts >= attemptsMax
  await db
    .updateTable('mail')
    .set({ lastError: reason, ...(isOver && { gaveUpAt: sql`now()`, body: null }) })
    .where('id', '=', id)
    .execute()
  metrics.mailFailed(isOver ? 'given up' : 'tried again')
  log.warn(isOver ? 'a mail could not be sent and is given up' : 'a mail could not be sent and is tried again', {
    code: reason,
    count: attempts,
  })
  if (!isOver) return
  const detail = { template, attempts, reason }
  await audit.record(db, systemAuditContext, {
    organisationId: null,
    action: 'mail.given_up',
    outcome: 'failure',
    object: { type: 'mail', id },
    detail,
  })
}
