/** Whether a person must use a second factor, and who requires it. */
import { sql } from 'kysely'
import type { ServerMode } from '../../kernel/config/setting.ts'
import type { Db } from '../../kernel/store/store.ts'

export interface MfaRequirement {
  readonly isRequired: boolean
  /**
   * For display: the person's role, the provider or the name of an organisation. Null if only the person requires it,
   * or nothing.
   */
  readonly requiredBy: string | null
}

/** The provider's setting, read from the store and not from a cache, so that it applies to sessions immediately. */
const providerRequiresMfa = sql<boolean>`exists (select from setting where key = 'RequireMultiFactorAuthentication' and value)`

/** Applies in production only. The demo accounts of a trial sign in by password alone. */
const roleRequiresMfa = {
  production: sql<boolean>`portalUser.providerRoleId is not null`,
  trial: sql<boolean>`false`,
}

/** For a query that has `portalUser`. The membership of an auditor room always requires one. */
export function isMfaRequired(mode: ServerMode) {
  return sql<boolean>`(portalUser.requiresMfa or ${roleRequiresMfa[mode]} or ${providerRequiresMfa} or exists (
    select from membership join organisation on organisation.id = membership.organisationId
    where membership.userId = portalUser.id and (organisation.requiresMfa or membership.expiresAt is not null)
      and organisation.archivedAt is null))`
}

const requiringOrganisation = sql<string | null>`(
  select organisation.companyName from membership join organisation on organisation.id = membership.organisationId
  where membership.userId = portalUser.id and (organisation.requiresMfa or membership.expiresAt is not null)
    and organisation.archivedAt is null
  order by organisation.companyName limit 1)`

export async function readMfaRequirement(db: Db, mode: ServerMode, userId: string): Promise<MfaRequirement> {
  const { isRequired, isRequiredByRole, isRequiredByProvider, organisation } = await db
    .selectFrom('portalUser')
    .select([isMfaRequired(mode).as('isRequired'), roleRequiresMfa[mode].as('isRequiredByRole')])
    .select([providerRequiresMfa.as('isRequiredByProvider'), requiringOrganisation.as('organisation')])
    .where('id', '=', userId)
    .executeTakeFirstOrThrow()
  return {
    isRequired,
    requiredBy: isRequiredByRole ? 'your role at the provider' : isRequiredByProvider ? 'the provider' : organisation,
  }
}
