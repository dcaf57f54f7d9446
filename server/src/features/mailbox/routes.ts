/** The mailbox of a trial, in which every mail ends that would go out in production. */
import { mailbox } from '@tributary/contract/mailbox'
import type { AppRoutes } from '../../app-services.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { renderEmail } from '../../messaging/mail/render-email.ts'
import { mailboxMax } from '../../security/retention/delete-expired.ts'
import { listMail } from './queries.ts'

export function mailboxRoutes(app: AppRoutes): void {
  const { config, mailer } = app.services

  app.bind(mailbox.list, async ({ store }) => {
    // Its codes open accounts, and anybody may read it: this is for trials only, which nobody else can reach.
    if (config.mode !== 'trial') throw new ApiFault('notFound')
    // Across: mail belongs to no organisation.
    return store.across(async (db) => {
      const rows = await listMail(db, mailboxMax)
      return Promise.all(
        rows.map(async ({ body, ...mail }) => ({
          ...mail,
          ...renderEmail(await mailer.decrypt(db, { id: mail.id, body }), config.publicUrl),
        })),
      )
    })
  })
}
