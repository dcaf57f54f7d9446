/** Emails to the provider about hosts that wait for its approval. */
import { sql } from 'kysely'
import type { Db } from '../../kernel/store/store.ts'
import type { SecurityServices } from '../../security/security-services.ts'
import { hostsWaiting } from './host-approval-emails.ts'

/** After a request is stored: emails are written across organisations. One that failed is sent with the next request. */
export async function mailHostRequests({
  config,
  mailer,
  store,
}: Pick<SecurityServices, 'config' | 'mailer' | 'store'>): Promise<void> {
  await store.across(async (db) => {
    const waiting = await db
      .updateTable('hostApproval')
      .from('connector')
      .innerJoin('organisation', 'organisation.id', 'connector.organisationId')
      .set({ isMailed: true })
      .whereRef('connector.id', '=', 'hostApproval.connectorId')
      .where('hostApproval.status', '=', 'WAITING')
      .where('hostApproval.isMailed', '=', false)
      .returning(['organisation.companyName', 'connector.name as connectorName', 'hostApproval.hosts'])
      .execute()
    if (waiting.length === 0) return
    const url = `${config.publicUrl}/admin/approvals`
    for (const address of await listApprovers(db))
      for (const request of waiting) await mailer.enqueue(db, address, hostsWaiting({ ...request, url }))
  })
}

/** The provider's people who decide about hosts. */
async function listApprovers(db: Db): Promise<readonly string[]> {
  const rows = await db
    .selectFrom('portalUser')
    .innerJoin('role', 'role.id', 'portalUser.providerRoleId')
    .innerJoin('status', 'status.id', 'portalUser.statusId')
    .select('portalUser.emailAddress')
    .where('role.name', '=', 'superadmin')
    .where('portalUser.isService', '=', false)
    .where(sql<boolean>`status.name = 'active'`)
    .orderBy('portalUser.emailAddress')
    .execute()
  return rows.map(({ emailAddress }) => emailAddress)
}
