/** Transactional outbox for emails: a mail is written by the transaction that causes it, and sent only if that commits. */
import type { Db } from '../store/store.ts'
import type { EmailContent } from './email-content.ts'

export interface EmailOutbox {
  /** Adds an email to the outbox, in the caller's transaction. @param recipient one address */
  enqueue(db: Db, recipient: string, content: EmailContent): Promise<void>
  /** Decrypts an email of the outbox. Throws if its body was deleted, as it is after sending. */
  decrypt(db: Db, mail: { readonly id: string; readonly body: string | null }): Promise<EmailContent>
}
