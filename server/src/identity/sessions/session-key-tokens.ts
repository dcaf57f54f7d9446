/** Tokens derived from the key that a session started with. They become invalid when that key is retired. */
import { createHmac } from 'node:crypto'
import type { ServerKeys } from '../../security/keys/server-keys.ts'
import { RefreshTokenChain } from './refresh-tokens.ts'
import type { SessionFacts } from './session-queries.ts'
import type { Db } from '../../kernel/store/store.ts'

type SessionKeyFacts = Pick<SessionFacts, 'id' | 'signingKeyId'>

export class SessionKeyTokens {
  readonly #keys: ServerKeys

  constructor(keys: ServerKeys) {
    this.#keys = keys
  }

  /** The id of the key that a new session uses until it ends. */
  async readNewestKeyId(db: Db): Promise<string> {
    const { id } = await this.#keys.newest('refresh token', db)
    return id
  }

  /** The session's refresh tokens; undefined if the key is retired. */
  async findRefreshChain(db: Db, { signingKeyId }: SessionKeyFacts): Promise<RefreshTokenChain | undefined> {
    const key = signingKeyId === null ? undefined : await this.#keys.find('refresh token', signingKeyId, db)
    return key === undefined ? undefined : new RefreshTokenChain(key)
  }

  /** The secret of the authorise cookie; undefined if the key is retired. */
  async createAuthoriseSecret({ id, signingKeyId }: SessionKeyFacts, db?: Db): Promise<string | undefined> {
    const key = signingKeyId === null ? undefined : await this.#keys.find('authorise cookie', signingKeyId, db)
    return key === undefined ? undefined : createHmac('sha256', key).update(id).digest('base64url')
  }
}
