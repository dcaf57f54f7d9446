/** The mailbox of a trial, which keeps every mail instead of sending it. */
import { mailbox } from '@tributary/contract/mailbox'
import type { AppRoutes } from '../../app-services.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { renderEmail } from '../../messaging/mail/render-email.ts'
import { mailboxMax } from '../../security/retention/delete-expired.ts'
import { listMail } from './queries.ts'

export function mailboxRoutes(app: AppRoutes): void {
  const { config, mailer } = app.services

  app.bind(mailbox.list, async ({ store }) => {
    // The mailbox is public and has sign-in codes. Only a trial, which others cannot reach, may show it.
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
