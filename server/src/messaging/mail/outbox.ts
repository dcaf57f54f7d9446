/** Stores outgoing mails as rows. Their bodies are encrypted, because they contain links and codes. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import type { SecretLocation } from '../../kernel/store/secret-unreadable.ts'
import type { Queue } from '../../kernel/queue/queue.ts'
import type { Secrets } from '../../security/secrets/secrets.ts'
import type { EmailContent } from '../../kernel/mail/email-content.ts'
import type { EmailOutbox } from '../../kernel/mail/mailer.ts'

/** The channel that notifies workers of a new mail. */
export const mailChannel = 'mail'

interface OutboxOptions {
  readonly secrets: Secrets
  readonly queue: Queue
  /** The host of the portal's address, the domain of Message-IDs. */
  readonly host: string
  /** `kept`: no mail is sent; a stored mail counts as sent, and the mailbox of the trial shows it. */
  readonly delivery: 'sent' | 'kept'
}

export function openOutbox({ secrets, queue, host, delivery }: OutboxOptions): EmailOutbox {
  return {
    async enqueue(db, recipient, content) {
      const id = randomUUID()
      const body = await secrets.encrypt(db, locationOf(id), JSON.stringify(content))
      const sentAt = delivery === 'kept' ? sql<string>`now()` : null
      const row = { id, messageId: `<${id}@${host}>`, recipient, template: content.template, body, sentAt }
      await db.insertInto('mail').values(row).execute()
      if (delivery === 'sent') await queue.notify(db, mailChannel, id)
    },
    async decrypt(db, { id, body }) {
      if (body === null) throw new Error('The body of this mail has been deleted.')
      return JSON.parse(await secrets.decrypt(db, locationOf(id), body)) as EmailContent
    },
  }
}

function locationOf(id: string): SecretLocation {
  return { organisationId: null, table: 'mail', column: 'body', row: id }
}
