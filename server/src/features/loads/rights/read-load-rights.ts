/** What a person may load, as the store knows it, and what they can do about the rest. */
import { may } from '@tributary/contract/capabilities'
import { findPerson, readStructure } from '../../../planning/entitlement/queries.ts'
import type { Db } from '../../../kernel/store/store.ts'
import { type LoadRights, rightsOf } from './load-rights.ts'

export async function readRights(db: Db, organisationId: string, userId: string): Promise<LoadRights> {
  const [structure, person] = [
    await readStructure(db, organisationId, userId),
    await findPerson(db, organisationId, userId),
  ]
  return rightsOf(structure, person, (await isAdministrator(db, organisationId, userId)) ? 'administrator' : 'user')
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
