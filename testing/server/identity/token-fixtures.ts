import { randomUUID } from 'node:crypto'
import type { Db } from '../../../server/src/kernel/store/store.ts'
import { roleIdOf } from '../app/fixed-ids.ts'

/** Inserts a service account of the organisation with a token that was used. */
export async function insertServiceAccount(db: Db, organisationId: string) {
  const emailAddress = `service-${randomUUID()}@service.invalid`
  const account = { firstName: 'Nightly export', lastName: '(service account)', emailAddress, isService: true }
  const { id } = await db.insertInto('portalUser').values(account).returning('id').executeTakeFirstOrThrow()
  await db
    .insertInto('membership')
    .values({ organisationId, userId: id, roleId: roleIdOf('user') })
    .execute()
  const token = { organisationId, userId: id, name: 'A token', scopes: ['data.read' as const], expiresAt: '2100-01-01' }
  const { id: accessTokenId } = await db
    .insertInto('apiToken')
    .values({ ...token, secretHash: Buffer.from(randomUUID()) })
    .returning('id')
    .executeTakeFirstOrThrow()
  await db
    .insertInto('apiTokenUse')
    .values({ organisationId, tokenId: accessTokenId, day: '2026-11-01', calls: 3 })
    .execute()
  return { serviceAccountId: id, accessTokenId }
}
