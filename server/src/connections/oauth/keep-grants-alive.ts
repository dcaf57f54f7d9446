/**
 * The worker's poll of the grants: refreshes unused grants and those with a lost reply, sends warnings, deletes unused
 * grants.
 */
import type { ConnectionServices } from '../connection-services.ts'
import { sql } from 'kysely'
import { isoTime } from '../../kernel/clock.ts'
import type { Db } from '../../kernel/store/store.ts'
import { deleteUnusedGrants } from './grants.ts'
import { authorisationEnding } from './grant-email-templates.ts'
import { notifyAdministrators } from './grant-emails.ts'
import { keepAliveMs, refreshLeaseMs } from './access-tokens.ts'

type GrantRenewalServices = Pick<ConnectionServices, 'clock' | 'config' | 'log' | 'mailer' | 'oauth' | 'store'>

const batchSize = 20
const backoffMinMs = refreshLeaseMs
const backoffMaxMs = 10 * 60_000
const dayMs = 86_400_000
/** Days before the end of a grant at which administrators are warned. */
const warningDays = [3, 14]

/** Remembers between polls which grants could not be refreshed, and retries them with exponential backoff. */
export class GrantKeepAlive {
  readonly #backoffs = new Map<string, { readonly until: number; readonly backoffMs: number }>()

  async poll(services: GrantRenewalServices): Promise<void> {
    const { clock, store } = services
    const now = clock.now()
    // Across, here and below: grants belong to no organisation.
    const backingOff = [...this.#backoffs].flatMap(([id, { until }]) => (until > now ? [id] : []))
    const due = await store.across((db) => listOverdue(db, now, backingOff))
    await Promise.all(due.map(({ id }) => this.#renew(services, id)))
    await store.across((db) => sendWarnings(db, services))
    await store.across((db) => deleteUnusedGrants(db, clock))
  }

  async #renew({ clock, log, oauth }: GrantRenewalServices, grantId: string): Promise<void> {
    try {
      await oauth.tokens.renew(grantId)
      this.#backoffs.delete(grantId)
    } catch (error) {
      log.info('a sign-in at a source could not be renewed', { error })
      const backoffMs = Math.min((this.#backoffs.get(grantId)?.backoffMs ?? backoffMinMs / 2) * 2, backoffMaxMs)
      this.#backoffs.set(grantId, { until: clock.now() + backoffMs, backoffMs })
    }
  }
}

/** Lost replies first, because the source accepts the former token only for half an hour. */
function listOverdue(db: Db, now: number, excluded: readonly string[]): Promise<{ id: string }[]> {
  return db
    .selectFrom('oauthGrant')
    .select('id')
    .where('deadAt', 'is', null)
    .where('refreshToken', 'is not', null)
    .where(sql<boolean>`id <> ALL (${excluded})`)
    .where(({ or, eb }) =>
      or([eb('intentAt', '<', isoTime(now - refreshLeaseMs)), eb('refreshedAt', '<', isoTime(now - keepAliveMs))]),
    )
    .orderBy(sql`intentAt IS NULL`)
    .orderBy('refreshedAt')
    .limit(batchSize)
    .execute()
}

/** Sends one warning for each of `warningDays`. A successful refresh resets the warnings. */
async function sendWarnings(db: Db, { clock, config, mailer, oauth }: GrantRenewalServices): Promise<void> {
  const now = clock.now()
  for (const { type, oauth: provider } of oauth.types.values()) {
    for (const days of warningDays) {
      const refreshedBefore = now + days * dayMs - provider.refreshTokenMs
      const grants = await db
        .updateTable('oauthGrant')
        .set({ warnedAt: isoTime(now) })
        .where('type', '=', type)
        .where('deadAt', 'is', null)
        .where('refreshToken', 'is not', null)
        .where('refreshedAt', '<', isoTime(refreshedBefore))
        .where(
          sql<boolean>`(warnedAt IS NULL OR warnedAt < refreshedAt + ${provider.refreshTokenMs - days * dayMs} * interval '1 millisecond')`,
        )
        .returning(['id', 'refreshedAt'])
        .execute()
      for (const { id, refreshedAt } of grants) {
        const daysLeft = Math.max(Math.ceil((Date.parse(refreshedAt) + provider.refreshTokenMs - now) / dayMs), 0)
        await notifyAdministrators(db, { mailer, publicUrl: config.publicUrl }, id, (facts) =>
          authorisationEnding({ ...facts, sourceTitle: provider.title, days: daysLeft }),
        )
      }
    }
  }
}
