/** Reads a user's load rights from the store. */
import { may } from '@tributary/contract/capabilities'
import { findEntitledPerson, readStructure } from '../../../planning/entitlement/queries.ts'
import type { Db } from '../../../kernel/store/store.ts'
import { type LoadRights, computeLoadRights } from './load-rights.ts'

export async function readRights(db: Db, organisationId: string, userId: string): Promise<LoadRights> {
  const [structure, person] = [
    await readStructure(db, organisationId, userId),
    await findEntitledPerson(db, organisationId, userId),
  ]
  return computeLoadRights(
    structure,
    person,
    (await isAdministrator(db, organisationId, userId)) ? 'administrator' : 'user',
  )
}

async function isAdministrator(db: Db, organisationId: string, userId: string): Promise<boolean> {
  const found = await db
    .selectFrom('membership')
    .innerJoin('role', 'role.id', 'membership.roleId')
    .select('role.roleLevel')
    .where('membership.organisationId', '=', organisationId)
    .where('membership.userId', '=', userId)
    .executeTakeFirst()
  return found !== undefined && may(found.roleLevel, 'editStructure')
}
