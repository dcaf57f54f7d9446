/** Records of an organisation that has authorised a source, for tests that iterate over every route. */
import { randomUUID } from 'node:crypto'
import type { Db } from '../../../server/src/kernel/store/store.ts'

/** Inserts an OAuth flow of another session, and an unused app. */
export async function insertAuthorisation(db: Db, organisationId: string, userId: string) {
  const app = { organisationId, type: 'xero', kind: 'machine', clientId: randomUUID(), clientSecret: 'sealed' } as const
  const { id: appId } = await db.insertInto('oauthApp').values(app).returning('id').executeTakeFirstOrThrow()
  const secrets = {
    stateHash: Buffer.from(randomUUID()),
    browserHash: Buffer.from(randomUUID()),
    pkceVerifier: 'sealed',
    nonce: randomUUID(),
  }
  const { id: authorisationId } = await db
    .insertInto('authorisation')
    .values({
      organisationId,
      userId,
      sessionId: randomUUID(),
      type: 'xero',
      ...secrets,
      expiresAt: new Date(Date.now() + 3_600_000),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  return { appId, authorisationId }
}
