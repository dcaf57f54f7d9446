/**
 * Sends the mails of the outbox at least once each, always with the same Message-ID. A sender claims a mail by
 * postponing its next attempt: concurrent senders do not find it due, and if the sender dies, another one claims it
 * after the wait.
 */
import type { SecurityServices } from '../../security/security-services.ts'
import { sql } from 'kysely'
import { attemptsMax, nextAttemptAt } from '../next-attempt.ts'
import { systemAuditContext } from '../../kernel/audit-context.ts'
import { SecretUnreadable } from '../../kernel/store/secret-unreadable.ts'
import type { Db } from '../../kernel/store/store.ts'
import { renderEmail } from './render-email.ts'
import type { MailServer } from './smtp.ts'

export type MailSendingServices = Pick<SecurityServices, 'audit' | 'config' | 'log' | 'mailer' | 'metrics' | 'store'>

/**
 * Tries once to send the mail that has been due longest. Returns false if none is due. Does not throw if sending fails.
 */
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

/** `attempts` includes the current one. */
type ClaimedMail = NonNullable<Awaited<ReturnType<typeof claimNext>>>

function claimNext(db: Db) {
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
  return db
    .updateTable('mail')
    .set({ attempts: sql`attempts + 1`, nextAttemptAt })
    .where('id', '=', next)
    .returning(['id', 'messageId', 'recipient', 'template', 'body', 'createdAt', 'attempts'])
    .executeTakeFirst()
}

interface MailFailure {
  /** Stored in the row and logged. Never the server's message, which repeats the address. */
  readonly reason: string
  readonly isFinal: boolean
}

async function trySending(
  { config, mailer, store }: MailSendingServices,
  server: MailServer,
  mail: ClaimedMail,
): Promise<MailFailure | null> {
  try {
    const content = await store.across((db) => mailer.decrypt(db, mail))
    await server.send({ ...mail, writtenAt: mail.createdAt, ...renderEmail(content, config.publicUrl) })
    return null
  } catch (error) {
    return failureOf(error)
  }
}

function failureOf(error: unknown): MailFailure {
  if (error instanceof SecretUnreadable) return { reason: error.code, isFinal: true }
  const { code, command, responseCode = 0 } = error as { code?: string; command?: string; responseCode?: number }
  // A refused sender or password can be fixed by the operator, so the mail is retried. A refused recipient or content
  // is final.
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
  await audit.record(db, systemAuditContext, {
    organisationId: null,
    action: 'mail.given_up',
    outcome: 'failure',
    object: { type: 'mail', id },
    detail: { template, attempts, reason },
  })
}
