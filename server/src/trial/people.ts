/** The people and organisations of a trial. */
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

export const trialPeople: readonly TrialPerson[] = [
  {
    id: personId(1),
    firstName: 'Sofia',
    lastName: 'Marsh',
    emailAddress: 'superadmin@demo.example',
    role: 'superadmin',
    organisationId: harbour.id,
  },
  {
    id: personId(2),
    firstName: 'Peter',
    lastName: 'Lund',
    emailAddress: 'provideradmin@demo.example',
    role: 'provideradmin',
    organisationId: harbour.id,
  },
  {
    id: personId(3),
    firstName: 'Amara',
    lastName: 'Okafor',
    emailAddress: 'admin@demo.example',
    role: 'admin',
    organisationId: harbour.id,
  },
  {
    id: personId(4),
    firstName: 'Ulla',
    lastName: 'Berg',
    emailAddress: 'user@demo.example',
    role: 'user',
    organisationId: harbour.id,
  },
  {
    id: personId(5),
    firstName: 'Gareth',
    lastName: 'Pike',
    emailAddress: 'guest@demo.example',
    role: 'guest',
    organisationId: harbour.id,
  },
  {
    id: personId(6),
    firstName: 'Olga',
    lastName: 'Tran',
    emailAddress: 'admin@other.example',
    role: 'admin',
    organisationId: summit.id,
  },
]

function personId(number: number): string {
  return `00000000-0000-4000-8000-0000000002${String(number).padStart(2, '0')}`
}

export async function seedPeople(store: Store, passwords: Passwords): Promise<void> {
  // One hash for all, because hashing is slow and the password is no secret.
  const passwordHash = await passwords.hash(trialPassword)
  // Across: two organisations are created in one transaction.
  await store.across(async (db) => {
    await db
      .insertInto('organisation')
      .values([...trialOrganisations])
      .execute()
    const credentials = { passwordHash, roleIds: await findRoleIds(db) }
    for (const person of trialPeople) await insertPerson(db, person, credentials)
  })
}

/** A user with a provider role is also an administrator of their organisation. */
async function insertPerson(
  db: Db,
  person: TrialPerson,
  { passwordHash, roleIds }: { passwordHash: string; roleIds: Readonly<Record<RoleName, string>> },
): Promise<void> {
  const { role, organisationId, ...user } = person

  const isProvider = roleLevels[role] < roleLevels.admin
  await db
    .insertInto('portalUser')
    .values({ ...user, passwordHash, providerRoleId: isProvider ? roleIds[role] : null })
    .execute()
  const roleId = isProvider ? roleIds.admin : roleIds[role]
  await db.insertInto('membership').values({ organisationId, userId: user.id, roleId }).execute()
}

async function findRoleIds(db: Db): Promise<Readonly<Record<RoleName, string>>> {
  const roles = await db.selectFrom('role').select(['id', 'name']).execute()
  return Object.fromEntries(roles.map(({ id, name }) => [name, id])) as Record<RoleName, string>
}
