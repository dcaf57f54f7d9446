import { approvals } from '@tributary/contract/approvals'
import type { AppRoutes } from '../../app-services.ts'
import { countApproval } from '../../security/throttling/call-rates.ts'
import { decide } from './decide-request.ts'
import { listApprovals, listApprovalsEverywhere } from './queries.ts'
import { showApproval } from './replies.ts'

export function approvalRoutes(app: AppRoutes): void {
  app.bind(approvals.list, async ({ store, actor, organisationId }) => {
    // Across: requests for new organisations are of none.
    const rows =
      actor.providerRole === null
        ? await store.within(organisationId, (db) => listApprovals(db, organisationId))
        : await store.across((db) => listApprovalsEverywhere(db, organisationId))
    return rows.map(showApproval)
  })

  app.bind(approvals.decide, async ({ store, actor, body, auditContext }) => {
    countApproval(app.services, actor)
    const { approvalId, approvalStatus: status, signature } = body
    // Across: it may make an organisation, and an account, which is of no single one.
    return showApproval(
      await store.across((db) => decide(app.services, db, { approvalId, status, signature, auditContext })),
    )
  })
}
