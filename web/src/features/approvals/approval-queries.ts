/** Requests to join an organisation, and hosts of connectors: the server pages both. */
import type { Approval, HostApproval } from '@tributary/contract/approvals'
import { pollMs } from '@tributary/contract/limits'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { callPage } from '../../api/call.ts'
import { everyApprovalList } from '../../api/queries/common-queries.ts'

export const approvalPageSize = 60

export interface ApprovalRows {
  readonly rows: Approval[]
  readonly total: number
}

export interface HostApprovalRows {
  readonly rows: HostApproval[]
  readonly total: number
}

export const approvalPage = (orgId: string, page: number) =>
  queryOptions({
    queryKey: [...everyApprovalList(orgId).queryKey, page],
    queryFn: ({ signal }) => callPage('GET /approvals', { query: { orgId, page, pageSize: approvalPageSize }, signal }),
    refetchInterval: pollMs,
    placeholderData: keepPreviousData,
  })

/** The request that a mailed link names, which may be on a later page. */
export const linkedApproval = (orgId: string, id: string) =>
  queryOptions({
    queryKey: [...everyApprovalList(orgId).queryKey, 'linked', id],
    queryFn: ({ signal }) => callPage('GET /approvals', { query: { orgId, id }, signal }),
  })

export const everyHostApprovalList = { queryKey: ['hostApprovals'] }

export const hostApprovalPage = (page: number) =>
  queryOptions({
    queryKey: [...everyHostApprovalList.queryKey, page],
    queryFn: ({ signal }) => callPage('GET /approvals/hosts', { query: { page, pageSize: approvalPageSize }, signal }),
    refetchInterval: pollMs,
    placeholderData: keepPreviousData,
  })
