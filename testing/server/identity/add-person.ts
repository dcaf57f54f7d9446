/** Adds a user who can sign in, in addition to the users of the trial. */
import { randomUUID } from 'node:crypto'
import { roleLevels, type RoleName } from '@tributary/contract/capabilities'
import { trialPassword } from '../../../server/src/trial/people.ts'
import { TestClient } from '../app/client.ts'
import { roleIdOf } from '../app/fixed-ids.ts'
import type { TestApp } from '../app/test-app.ts'

export interface AddedPerson {
  readonly id: string
  readonly emailAddress: string
  readonly client: TestClient
}

/** @param roles the role in each organisation, by its id; a provider role applies to all of them */
export async function addPerson(app: TestApp, roles: Readonly<Record<string, RoleName>>): Promise<AddedPerson> {
  const emailAddress = `${randomUUID()}@added.example`
  // Across organisations, because the user may belong to several.
  const id = await app.store.across(async (db) => {
    const provider = Object.values(roles).find((name) => roleLevels[name] < roleLevels.admin)
    const known = db.selectFrom('portalUser').select('passwordHash').where('id', '=', app.idOf('otherAdmin'))
    const { passwordHash } = await known.executeTakeFirstOrThrow()
    const person = { firstName: 'Added', lastName: 'Person', emailAddress, passwordHash }
    const { id: userId } = await db
      .insertInto('portalUser')
      .values({ ...person, providerRoleId: provider === undefined ? null : roleIdOf(provider) })
      .returning('id')
      .executeTakeFirstOrThrow()
    for (const [organisationId, name] of Object.entries(roles))
      await db
        .insertInto('membership')
        .values({ organisationId, userId, roleId: roleIdOf(provider === undefined ? name : 'admin') })
        .execute()
    return userId
  })
  return { id, emailAddress, client: new TestClient(app.http, { emailAddress, password: trialPassword }) }
}
