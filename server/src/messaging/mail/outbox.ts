/** The mails that are to go out, as rows of the store. Their bodies are sealed: they hold links and codes. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { SecretLocation } from '../../kernel/store/secret-unreadable.ts'
import type { Queue } from '../../kernel/queue/queue.ts'
import type { Secrets } from '../../security/secrets/secrets.ts'
import type { EmailContent } from '../../kernel/mail/email-content.ts'
import type { EmailOutbox } from '../../kernel/mail/mailer.ts'

/** The bell that calls a worker to a mail. */
export const mailChannel = 'mail'

interface OutboxOptions {
  readonly secrets: Secrets
  readonly queue: Queue
  /** The host of the portal's address, which names our messages. */
  readonly host: string
  /** `kept`: nothing leaves; a mail counts as sent when it is written, and the mailbox of the trial shows it. */
  readonly delivery: 'sent' | 'kept'
}

export function openOutbox({ secrets, queue, host, delivery }: OutboxOptions): EmailOutbox {
  return {
    async enqueue(db, recipient, letter) {
      const id = randomUUID()
      const body = await secrets.encrypt(db, placeOf(id), JSON.stringify(letter))
      const sentAt = delivery === 'kept' ? sql<string>`now()` : null
      const row = { id, messageId: `<${id}@${host}>`, recipient, template: letter.template, body, sentAt }
      await db.insertInto('mail').values(row).execute()
      if (delivery === 'sent') await queue.notify(db, mailChannel, id)
    },
    async decrypt(db, { id, body }) {
      if (body === null) throw new Error('The body of this mail has been taken away.')
      return JSON.parse(await secrets.decrypt(db, placeOf(id), body)) as EmailContent
    },
  }
}

function placeOf(id: string): SecretLocation {
  return { organisationId: null, table: 'mail', column: 'body', row: id }
}
