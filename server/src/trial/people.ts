/** The people and organisations of a trial. */
import { checklistNames } from '@tributary/contract/checklist'
import { roleLevels, type RoleName } from '@tributary/contract/capabilities'
import type { Passwords } from '../identity/passwords/passwords.ts'
import type { Db, Store } from '../kernel/store/store.ts'

/** Public, so a trial listens on this machine only. */
export const trialPassword = 'tributary-demo-1'

export const trialOrganisations = [
  {
    id: '00000000-0000-4000-8000-000000000101',
    companyName: 'Harbour Trading',
    key: 'harbour-trading',
    timeZone: 'Europe/London',
  },
  {
    id: '00000000-0000-4000-8000-000000000102',
    companyName: 'Summit Foods',
    key: 'summit-foods',
    timeZone: 'Europe/London',
  },
] as const
const [harbour, summit] = trialOrganisations

export interface TrialPerson {
  readonly id: string
  readonly firstName: string
  readonly lastName: string
  readonly emailAddress: string
  readonly role: RoleName
  readonly organisationId: string
}

export const trialPeople: readonly TrialPerson[] = (
  [
    ['Sofia', 'Marsh', 'superadmin@demo.example', 'superadmin', harbour],
    ['Peter', 'Lund', 'provideradmin@demo.example', 'provideradmin', harbour],
    ['Amara', 'Okafor', 'admin@demo.example', 'admin', harbour],
    ['Ulla', 'Berg', 'user@demo.example', 'user', harbour],
    ['Gareth', 'Pike', 'guest@demo.example', 'guest', harbour],
    ['Olga', 'Tran', 'admin@other.example', 'admin', summit],
  ] as const
).map(([firstName, lastName, emailAddress, role, organisation], index) => ({
  id: `00000000-0000-4000-8000-00000000020${index + 1}`,
  firstName,
  lastName,
  emailAddress,
  role,
  organisationId: organisation.id,
}))

export function trialPersonId(emailAddress: string): string {
  const person = trialPeople.find((each) => each.emailAddress === emailAddress)
  if (person === undefined) throw new Error(`The trial has no person ${emailAddress}.`)
  return person.id
}

export async function seedPeople(store: Store, passwords: Passwords): Promise<void> {
  // One hash for all, because hashing is slow and the password is no secret.
  const passwordHash = await passwords.hash(trialPassword)
  // Across: two organisations are created in one transaction.
  await store.across(async (db) => {
    await db
      .insertInto('organisation')
      // The first organisation has worked for sixty days; the second still shows how one begins.
      .values(
        trialOrganisations.map((one) => ({ ...one, dismissedChecklists: one === harbour ? [...checklistNames] : [] })),
      )
      .execute()
    const roleIds = await findRoleIds(db)
    for (const { role, organisationId, ...user } of trialPeople) {
      // A user with a provider role is also an administrator of their organisation.
      const isProvider = roleLevels[role] < roleLevels.admin
      await db
        .insertInto('portalUser')
        .values({ ...user, passwordHash, providerRoleId: isProvider ? roleIds[role] : null })
        .execute()
      const roleId = isProvider ? roleIds.admin : roleIds[role]
      await db.insertInto('membership').values({ organisationId, userId: user.id, roleId }).execute()
    }
  })
}

async function findRoleIds(db: Db): Promise<Readonly<Record<RoleName, string>>> {
  const roles = await db.selectFrom('role').select(['id', 'name']).execute()
  return Object.fromEntries(roles.map(({ id, name }) => [name, id])) as Record<RoleName, string>
}
