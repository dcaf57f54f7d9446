import { approvals } from '@tributary/contract/approvals'
import type { AppRoutes } from '../../app-services.ts'
import { badField } from '../../kernel/http/api-fault.ts'
import { countApproval } from '../../security/throttling/call-rates.ts'
import { decideRequest } from './decide-request.ts'
import { listApprovals, listApprovalsEverywhere } from './queries.ts'
import { toApproval } from './replies.ts'

export function approvalRoutes(app: AppRoutes): void {
  app.bind(approvals.list, async ({ store, actor, organisationId }) => {
    // Across: requests for new organisations belong to none.
    const rows =
      actor.providerRole === null
        ? await store.within(organisationId, (db) => listApprovals(db, organisationId))
        : await store.across((db) => listApprovalsEverywhere(db, organisationId))
    return rows.map(toApproval)
  })

  app.bind(approvals.decide, async ({ store, actor, body, auditContext }) => {
    countApproval(app.services, actor)
    const { approvalId, approvalStatus: status, reason = '', signature } = body
    if (status === 'APPROVED' && reason !== '') throw badField('reason', 'is only for rejections; leave it out')
    // Across: a decision may create an organisation and an account, which belong to no single organisation.
    return toApproval(
      await store.across((db) =>
        decideRequest(app.services, db, { approvalId, status, reason: reason || null, signature, auditContext }),
      ),
    )
  })
}
