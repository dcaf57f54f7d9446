/** The worker's round over the grants: renews those that nobody uses and those whose answer was lost, warns, and clears away. */
import { sql } from 'kysely'
import type { Oauth } from './oauth.ts'
import type { EmailOutbox } from '../../kernel/mail/mailer.ts'
import type { Log } from '../../kernel/log/log.ts'
import type { Config } from '../../kernel/config/config.ts'
import { isoTime, type Clock } from '../../kernel/clock.ts'
import type { Db, Store } from '../../kernel/store/store.ts'
import { deleteUnusedGrants } from './grants.ts'
import { notifyGrantEnding } from './grant-emails.ts'
import { keepAliveMs, refreshLeaseMs } from './access-tokens.ts'

interface GrantRenewalServices {
  readonly clock: Clock
  readonly config: Config
  readonly log: Log
  readonly mailer: EmailOutbox
  readonly oauth: Oauth
  readonly store: Store
}

const atOnce = 20
const firstRestMs = refreshLeaseMs
const longestRestMs = 10 * 60_000
const dayMs = 86_400_000
/** Days before the end at which people are told of it. */
const warnings = [3, 14]

/** What this process remembers from round to round: which grants it could not renew, so that it asks ever less often. */
export class GrantKeepAlive {
  readonly #rests = new Map<string, { readonly until: number; readonly restMs: number }>()

  async round(services: GrantRenewalServices): Promise<void> {
    const { clock, store } = services
    const now = clock.now()
    // Across, in all that follows: grants belong to no organisation.
    const resting = [...this.#rests].flatMap(([id, { until }]) => (until > now ? [id] : []))
    const due = await store.across((db) => listOverdue(db, now, resting))
    await Promise.all(due.map(({ id }) => this.#renew(services, id)))
    await store.across((db) => warn(db, services))
    await store.across((db) => deleteUnusedGrants(db, clock))
  }

  async #renew({ clock, log, oauth }: GrantRenewalServices, grantId: string): Promise<void> {
    try {
      await oauth.tokens.renew(grantId)
      this.#rests.delete(grantId)
    } catch (error) {
      log.info('a sign-in at a source could not be renewed', { error })
      const restMs = Math.min((this.#rests.get(grantId)?.restMs ?? firstRestMs / 2) * 2, longestRestMs)
      this.#rests.set(grantId, { until: clock.now() + restMs, restMs })
    }
  }
}

/** Lost answers first: the source takes the former token for half an hour only. */
function listOverdue(db: Db, now: number, resting: readonly string[]): Promise<{ id: string }[]> {
  return db
    .selectFrom('oauthGrant')
    .select('id')
    .where('deadAt', 'is', null)
    .where('refreshToken', 'is not', null)
    .where(sql<boolean>`id <> ALL (${resting})`)
    .where(({ or, eb }) =>
      or([eb('intentAt', '<', isoTime(now - refreshLeaseMs)), eb('refreshedAt', '<', isoTime(now - keepAliveMs))]),
    )
    .orderBy(sql`intentAt IS NULL`)
    .orderBy('refreshedAt')
    .limit(atOnce)
    .execute()
}

/** Once at each of the days. A renewal that succeeds forgets the warnings. */
async function warn(db: Db, { clock, config, mailer, oauth }: GrantRenewalServices): Promise<void> {
  const now = clock.now()
  for (const { type, authorising } of oauth.types.values()) {
    for (const days of warnings) {
      const bornBefore = now + days * dayMs - authorising.refreshTokenMs
      const grants = await db
        .updateTable('oauthGrant')
        .set({ warnedAt: isoTime(now) })
        .where('type', '=', type)
        .where('deadAt', 'is', null)
        .where('refreshToken', 'is not', null)
        .where('refreshedAt', '<', isoTime(bornBefore))
        .where(
          sql<boolean>`(warnedAt IS NULL OR warnedAt < refreshedAt + ${authorising.refreshTokenMs - days * dayMs} * interval '1 millisecond')`,
        )
        .returning(['id', 'refreshedAt'])
        .execute()
      for (const { id, refreshedAt } of grants) {
        const left = Math.max(Math.ceil((Date.parse(refreshedAt) + authorising.refreshTokenMs - now) / dayMs), 0)
        await notifyGrantEnding(
          db,
          { mailer, publicUrl: config.publicUrl },
          { grantId: id, title: authorising.title, days: left },
        )
      }
    }
  }
}
