/** Requests to join an organisation or to create one, and the decisions on them. */
import * as z from 'zod'
import { Id, orgQuery } from './id.ts'
import { rejectionReasonMax } from './limits.ts'
import { paging } from './paging.ts'
import { route } from './route.ts'
import { ofConnectorById } from './route-parts.ts'
import { bodyField, organisationInQuery } from './scope.ts'

export const Approval = z.object({
  Id: z.uuid(),
  ApprovalType: z.string(),
  ApprovalStatus: z.string(),
  CreatedAtUtc: z.string(),
  ApprovedAtUtc: z.string().nullable(),
  ApprovedUser: z.string().nullable(),
  /** What the person who rejected the request wrote to the applicant. */
  RejectionReason: z.string().nullable(),
  /** JSON text with `Description`, and for newer requests `ApplicantName` and `CompanyName`. */
  ApprovalContext: z.string(),
})
export type Approval = z.infer<typeof Approval>

const hostApprovalStatuses = ['WAITING', 'APPROVED', 'REFUSED', 'WITHDRAWN'] as const

/** What members of the organisation see of it. `Notice`: why the connector does not run; null if its hosts are approved. */
export const ConnectorHosts = z.object({
  Status: z.enum(hostApprovalStatuses),
  Hosts: z.array(z.string()),
  Notice: z.string().nullable(),
})

/** Hosts of a connector whose source the customer has described. A connector calls only approved ones. */
export const HostApproval = z.object({
  ClientId: z.uuid(),
  CompanyName: z.string(),
  ConnectorId: z.uuid(),
  ConnectorName: z.string(),
  /** What its settings call, such as `api.example.com`, or `api.example.com:8443` if the port is not 443. */
  Hosts: z.array(z.string()),
  /** Those that were approved last. */
  ApprovedHosts: z.array(z.string()),
  Status: z.enum(hostApprovalStatuses),
  /** The description of the source, in YAML. */
  Description: z.string(),
  RequestedBy: z.string().nullable(),
  RequestedAtUtc: z.string(),
  DecidedBy: z.string().nullable(),
  DecidedAtUtc: z.string().nullable(),
  Reason: z.string().nullable(),
})
export type HostApproval = z.infer<typeof HostApproval>

/** A list that is complete without `page` and `pageSize`; `X-Total-Count` returns the total of a page. */
const ApprovalQuery = orgQuery.extend({
  /** Only this one. */
  id: Id.optional(),
  status: z.enum(['PENDING', 'APPROVED', 'REJECTED']).optional(),
  ...paging,
})
export type ApprovalQuery = z.infer<typeof ApprovalQuery>

export const approvals = {
  list: route({
    method: 'GET',
    path: '/approvals',
    tokenScopes: ['administer'],
    summary:
      'Requests to join the organisation; for the provider also those for new organisations. Pending ones first.',
    allow: 'decideApprovals',
    scope: organisationInQuery,
    query: ApprovalQuery,
    reply: z.array(Approval),
    passive: true,
  }),
  decide: route({
    method: 'POST',
    path: '/approvals',
    summary: 'Approve or reject. Deciding once more what was decided so changes nothing; otherwise is refused.',
    allow: 'decideApprovals',
    scope: bodyField('approvalId', 'approval'),
    body: z.strictObject({
      approvalId: Id,
      approvalStatus: z.enum(['APPROVED', 'REJECTED']),
      /** Mailed to the applicant; for rejections only. */
      reason: z.string().trim().max(rejectionReasonMax).optional(),
      /** Of the mailed link: bound to approver and decision, single use. */
      signature: z.string().max(200).optional(),
    }),
    reply: Approval,
    faults: ['alreadyDecided', 'linkSpent', 'nameTaken'],
  }),
  hosts: route({
    method: 'GET',
    path: '/approvals/hosts',
    summary:
      'The hosts of connectors whose sources customers have described, in every organisation. Those that wait come first.',
    allow: 'approveHosts',
    scope: 'none',
    query: z.strictObject(paging),
    passive: true,
    reply: z.array(HostApproval),
  }),
  decideHosts: route({
    method: 'POST',
    path: '/approvals/hosts/:connectorId',
    summary:
      'Approve the hosts of a connector, refuse them, or withdraw their approval. Refused if its settings call other hosts meanwhile.',
    allow: 'approveHosts',
    ...ofConnectorById,
    needsFreshProof: true,
    body: z.strictObject({
      decision: z.enum(['APPROVED', 'REFUSED', 'WITHDRAWN']),
      /** What the decision is about. */
      hosts: z.array(z.string().max(300)).min(1).max(100),
      /** Shown to the administrators of the organisation. Required unless approved. */
      reason: z.string().trim().max(rejectionReasonMax).optional(),
    }),
    reply: HostApproval,
    faults: ['alreadyDecided', 'hostsChanged'],
  }),
} as const
