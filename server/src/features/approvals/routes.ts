import { approvals } from '@tributary/contract/approvals'
import type { AppRoutes } from '../../app-services.ts'
import { badField } from '../../kernel/http/api-fault.ts'
import { setTotalCountHeader } from '../../kernel/http/bind.ts'
import { countApproval } from '../../security/throttling/call-rates.ts'
import { decideHosts } from './decide-hosts.ts'
import { decideRequest } from './decide-request.ts'
import { listHostApprovalsEverywhere } from './host-approval-queries.ts'
import { listApprovals, listApprovalsEverywhere } from './queries.ts'
import { toApproval } from './replies.ts'

export function approvalRoutes(app: AppRoutes): void {
  app.bind(approvals.list, async ({ store, actor, organisationId, query, reply }) => {
    // Across: requests for new organisations belong to none.
    const { approvals: rows, total } =
      actor.providerRole === null
        ? await store.within(organisationId, (db) => listApprovals(db, organisationId, query))
        : await store.across((db) => listApprovalsEverywhere(db, organisationId, query))
    setTotalCountHeader(reply, total)
    return rows.map(toApproval)
  })

  // Across: the provider decides for every organisation.
  app.bind(approvals.hosts, async ({ store, query, reply }) => {
    const { hosts, total } = await store.across((db) => listHostApprovalsEverywhere(db, query))
    setTotalCountHeader(reply, total)
    return hosts
  })

  // Across: the decision is mailed.
  app.bind(
    approvals.decideHosts,
    ({ store, auditContext, params: { connectorId }, body: { reason = '', ...decision } }) =>
      store.across((db) =>
        decideHosts(db, app.services, auditContext, { connectorId, ...decision, reason: reason || null }),
      ),
  )

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
