/** Mail leaves through the store: written by the transaction that causes it, so that it goes out if and only if that holds. */
import type { Db } from '../store/store.ts'
import type { Letter } from './email-content.ts'

export interface Mailer {
  /** Part of the caller's transaction. @param recipient one address. */
  post(db: Db, recipient: string, letter: Letter): Promise<void>
  /** The letter of a row of the outbox. Throws where the body is gone: a mail that went out keeps none. */
  open(db: Db, mail: { readonly id: string; readonly body: string | null }): Promise<Letter>
}
