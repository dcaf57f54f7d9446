/** Mails the owner of a channel when a message to it is given up, once until a message arrives again. */
import { sql } from 'kysely'
import type { AppServices } from '../../app-services.ts'
import type { Db } from '../../kernel/store/store.ts'
import { serviceTitles } from '../../messaging/alert-channels/alert-channel.ts'
import { channelFailing } from '../../messaging/mail/connector-email-templates.ts'
import { listNamedRecipients } from './alert-targets.ts'

type MailServices = Pick<AppServices, 'config' | 'mailer' | 'store'>

export function mailFailingChannels(services: MailServices): Promise<void> {
  // Across: a worker serves every organisation, and mail belongs to none.
  return services.store.across(async (db) => {
    for (const channel of await claimFailing(db)) {
      const { organisationId, userId, service, name, companyName, notice } = channel
      if (service === null) continue
      const path = userId === null ? '/admin/alerts' : '/profile'
      const email = channelFailing({
        channelName: name,
        serviceTitle: serviceTitles[service],
        companyName,
        notice: notice ?? '',
        url: `${services.config.publicUrl}${path}?organisation=${organisationId}`,
      })
      for (const address of await listOwners(db, channel)) await services.mailer.enqueue(db, address, email)
    }
  })
}

type FailingChannel = Awaited<ReturnType<typeof claimFailing>>[number]

/** Channels that a concurrent worker has claimed are skipped. */
async function claimFailing(db: Db) {
  const unreported = db
    .selectFrom('alertChannel')
    .select('id')
    .where('failingSince', 'is not', null)
    .where('failureMailedAt', 'is', null)
    .forUpdate()
    .skipLocked()
  const lastNotice = sql<string | null>`(SELECT notice FROM alertDelivery
    WHERE alertDelivery.channelId = alertChannel.id AND failedAt IS NOT NULL ORDER BY failedAt DESC LIMIT 1)`
  return db
    .updateTable('alertChannel')
    .from('organisation')
    .set({ failureMailedAt: sql<string>`now()` })
    .whereRef('organisation.id', '=', 'alertChannel.organisationId')
    .where('organisation.archivedAt', 'is', null)
    .where('alertChannel.id', 'in', unreported)
    .returning(['alertChannel.organisationId', 'alertChannel.userId', 'service', 'name', 'organisation.companyName'])
    .returning(lastNotice.as('notice'))
    .execute()
}

/** The person, or else the administrators of the organisation. */
async function listOwners(db: Db, { organisationId, userId }: FailingChannel): Promise<readonly string[]> {
  if (userId === null)
    return (await listNamedRecipients(db, organisationId, null)).map(({ emailAddress }) => emailAddress)
  const person = await db
    .selectFrom('portalUser')
    .innerJoin('status', 'status.id', 'portalUser.statusId')
    .select('emailAddress')
    .where('portalUser.id', '=', userId)
    .where(sql<boolean>`status.name = 'active'`)
    .executeTakeFirst()
  return person === undefined ? [] : [person.emailAddress]
}
