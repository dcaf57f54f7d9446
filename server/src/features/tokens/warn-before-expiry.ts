/** Mails the owner of a token before it expires, once: the person, or the administrators for a service account. */
import { tokenLimits } from '@tributary/contract/token-scopes'
import { sql } from 'kysely'
import type { AppServices } from '../../app-services.ts'
import { selectMembers } from '../../identity/people/members.ts'
import { tokenExpires } from '../../identity/tokens/token-email-templates.ts'
import { isoTime } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/store/store.ts'
import { tokenPageUrl } from './create-token.ts'

type WarnServices = Pick<AppServices, 'clock' | 'config' | 'mailer' | 'store'>

export function warnBeforeExpiry({ clock, config, mailer, store }: WarnServices): Promise<void> {
  // Across: a worker serves every organisation, and mail belongs to none.
  return store.across(async (db) => {
    for (const token of await claimExpiring(db, clock.now())) {
      const { name, companyName, organisationId, isService, emailAddress, expiresAt } = token
      const url = tokenPageUrl(config, { organisationId, isService })
      const email = tokenExpires({ name, companyName, url, at: `${expiresAt.slice(0, 10)} (UTC)` })
      const recipients = isService ? await listAdministrators(db, organisationId) : [emailAddress]
      for (const recipient of recipients) await mailer.enqueue(db, recipient, email)
    }
  })
}

const dayMs = 86_400_000

/** Tokens that a concurrent worker has claimed are skipped. A token that was made for a few days only needs no warning. */
function claimExpiring(db: Db, now: number) {
  const due = db
    .selectFrom('apiToken')
    .select('id')
    .where('revokedAt', 'is', null)
    .where('expiryMailedAt', 'is', null)
    // An assistant asks the person again by itself.
    .where('oauthClientId', 'is', null)
    .where('expiresAt', '>', isoTime(now))
    .where('expiresAt', '<=', isoTime(now + tokenLimits.warnDays * dayMs))
    .where(sql<boolean>`expiresAt - createdAt > ${2 * tokenLimits.warnDays} * interval '1 day'`)
    .forUpdate()
    .skipLocked()
  return db
    .updateTable('apiToken')
    .from('organisation')
    .innerJoin('portalUser', (join) => join.on(sql<boolean>`true`))
    .innerJoin('status', 'status.id', 'portalUser.statusId')
    .set({ expiryMailedAt: isoTime(now) })
    .whereRef('organisation.id', '=', 'apiToken.organisationId')
    .whereRef('portalUser.id', '=', 'apiToken.userId')
    .where('organisation.archivedAt', 'is', null)
    .where('status.name', '=', 'active')
    .where('apiToken.id', 'in', due)
    .returning(['apiToken.name', 'apiToken.organisationId', 'apiToken.expiresAt', 'companyName'])
    .returning(['portalUser.isService', 'portalUser.emailAddress'])
    .execute()
}

async function listAdministrators(db: Db, organisationId: string): Promise<readonly string[]> {
  const rows = await selectMembers(db, organisationId)
    .innerJoin('role', 'role.id', 'membership.roleId')
    .select('emailAddress')
    .where('role.name', '=', 'admin')
    .where('status.name', '=', 'active')
    .where('portalUser.providerRoleId', 'is', null)
    .where('portalUser.isService', '=', false)
    .orderBy('emailAddress')
    .execute()
  return rows.map(({ emailAddress }) => emailAddress)
}
