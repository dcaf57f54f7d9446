/** What is made with the key that a session began with, and is worth nothing once that key is retired. */
import { createHmac } from 'node:crypto'
import type { ServerKeys } from '../../security/keys/server-keys.ts'
import { RefreshChain } from './refresh-tokens.ts'
import type { SessionFacts } from './session-queries.ts'
import type { Db } from '../../kernel/store/store.ts'

type SessionKeyFacts = Pick<SessionFacts, 'id' | 'signingKeyId'>

export class SessionCookies {
  readonly #keys: ServerKeys

  constructor(keys: ServerKeys) {
    this.#keys = keys
  }

  /** The key that a session begins with, and keeps. */
  async newestKey(db: Db): Promise<string> {
    const { id } = await this.#keys.newest('refresh token', db)
    return id
  }

  /** The session's refresh tokens; undefined where the key is retired. */
  async chainOf(db: Db, { signingKeyId }: SessionKeyFacts): Promise<RefreshChain | undefined> {
    const key = signingKeyId === null ? undefined : await this.#keys.find('refresh token', signingKeyId, db)
    return key === undefined ? undefined : new RefreshChain(key)
  }

  /** The secret of the cookie that follows a call from another site; undefined where the key is retired. */
  async authoriseSeal({ id, signingKeyId }: SessionKeyFacts, db?: Db): Promise<string | undefined> {
    const key = signingKeyId === null ? undefined : await this.#keys.find('authorise cookie', signingKeyId, db)
    return key === undefined ? undefined : createHmac('sha256', key).update(id).digest('base64url')
  }
}
