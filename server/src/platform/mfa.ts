/** Whether somebody is asked for a second factor, and by whom. */
import { sql } from 'kysely'
import type { Db } from './store.ts'

export interface MfaDemand {
  readonly isAsked: boolean
  /** The organisation or the provider that asks, in words; null where only the person does, or nobody. */
  readonly requiredBy: string | null
}

/** The provider's switch, from the store itself: a session must not outlive it by the age of somebody's cache. */
const providerAsks = sql<boolean>`exists (select from setting where key = 'RequireMultiFactorAuthentication' and value)`

/** For a query that has `portal_user`. */
export const isMfaAsked = sql<boolean>`(portal_user.requires_mfa or ${providerAsks} or exists (
  select from membership join organisation on organisation.id = membership.organisation_id
  where membership.user_id = portal_user.id and organisation.requires_mfa and organisation.archived_at is null))`

const askingOrganisation = sql<string | null>`(
  select organisation.company_name from membership join organisation on organisation.id = membership.organisation_id
  where membership.user_id = portal_user.id and organisation.requires_mfa and organisation.archived_at is null
  order by organisation.company_name limit 1)`

export async function readMfaDemand(db: Db, userId: string): Promise<MfaDemand> {
  const { isAsked, organisation, isProviders } = await db
    .selectFrom('portalUser')
    .select([isMfaAsked.as('isAsked'), askingOrganisation.as('organisation'), providerAsks.as('isProviders')])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return { isAsked, requiredBy: isProviders ? 'the provider' : organisation }
}
