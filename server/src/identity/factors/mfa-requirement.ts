/** Whether a person is asked for a second factor, and by whom. */
import { sql } from 'kysely'
import type { ServerMode } from '../../kernel/config/setting.ts'
import type { Db } from '../../kernel/store/store.ts'

export interface MfaRequirement {
  readonly isAsked: boolean
  /** What asks, in words: the person's role, the provider or an organisation. Null where only the person does, or nothing. */
  readonly requiredBy: string | null
}

/** The provider's switch, from the store itself: a session must not outlive it by the age of somebody's cache. */
const providerRequiresMfa = sql<boolean>`exists (select from setting where key = 'RequireMultiFactorAuthentication' and value)`

/** In production. The demo accounts of a trial sign in by password alone. */
const roleRequiresMfa = {
  production: sql<boolean>`portalUser.providerRoleId is not null`,
  trial: sql<boolean>`false`,
}

/** For a query that has `portalUser`. */
export function isMfaRequired(mode: ServerMode) {
  return sql<boolean>`(portalUser.requiresMfa or ${roleRequiresMfa[mode]} or ${providerRequiresMfa} or exists (
    select from membership join organisation on organisation.id = membership.organisationId
    where membership.userId = portalUser.id and organisation.requiresMfa and organisation.archivedAt is null))`
}

const askingOrganisation = sql<string | null>`(
  select organisation.companyName from membership join organisation on organisation.id = membership.organisationId
  where membership.userId = portalUser.id and organisation.requiresMfa and organisation.archivedAt is null
  order by organisation.companyName limit 1)`

export async function readMfaRequirement(db: Db, mode: ServerMode, userId: string): Promise<MfaRequirement> {
  const { isAsked, isRoles, isProviders, organisation } = await db
    .selectFrom('portalUser')
    .select([isMfaRequired(mode).as('isAsked'), roleRequiresMfa[mode].as('isRoles')])
    .select([providerRequiresMfa.as('isProviders'), askingOrganisation.as('organisation')])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return { isAsked, requiredBy: isRoles ? 'your role at the provider' : isProviders ? 'the provider' : organisation }
}
