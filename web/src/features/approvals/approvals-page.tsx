import type { Approval } from '@tributary/contract/approvals'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { call } from '../../api/call.ts'
import { everyApprovalList } from '../../api/queries/common-queries.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useMay, useOrganisationId } from '../../api/session/workspace.ts'
import { Page } from '../../ui/layout/page.tsx'
import { paths } from '../../paths.ts'
import { useUrlPage, useUrlParams } from '../../ui/hooks/search-params.ts'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { QueryPlaceholder } from '../../domain/requests/query-placeholder.tsx'
import { EmptyState } from '../../ui/feedback/empty-state.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { CardGrid } from '../../ui/display/record-card.tsx'
import { SkeletonCards } from '../../ui/feedback/skeleton.tsx'
import { Pager } from '../../ui/tables/pager.tsx'
import { usePageCount } from '../../ui/tables/use-page-count.ts'
import { approvalPage, approvalPageSize, type ApprovalRows, linkedApproval } from './approval-queries.ts'
import { BulkDecisionBar } from './bulk-decision-bar.tsx'
import { HostApprovals } from './host-approvals.tsx'
import { ReasonField } from './reason-field.tsx'
import { ApprovalCard, approvalDescription, type ApprovalDecision, decisionVerbs } from './approval-card.tsx'
import { MutationError } from '../../domain/requests/mutation-error.tsx'

export function ApprovalsPage() {
  const may = useMay()
  return (
    <Page kind="list">
      <ApprovalCards />
      {may('approveHosts') ? <HostApprovals /> : null}
    </Page>
  )
}

function ApprovalCards() {
  const orgId = useOrganisationId()
  const { page, goTo } = useUrlPage({ replace: true })
  const query = useQuery(approvalPage(orgId, page))
  const pages = usePageCount(query, { page, pageSize: approvalPageSize, goTo })
  const decide = useDecideApproval(orgId)
  const approvals = useStableOrder(query.data?.rows)
  const [selected, select] = useState<ReadonlySet<string>>(new Set())
  const pending = approvals.filter(({ ApprovalStatus }) => ApprovalStatus === 'PENDING')
  if (query.data === undefined)
    return (
      <QueryPlaceholder of={query}>
        <SkeletonCards count={3} height={148} />
      </QueryPlaceholder>
    )
  return (
    <>
      <MutationError of={decide} />
      <LinkedDecision decide={decide} />
      {query.data.total === 0 ? (
        <EmptyState kind="first" title="No requests to decide.">
          Requests to join your organisation appear here. You get an email for each request.
        </EmptyState>
      ) : null}
      {pending.length > 1 || selected.size > 0 ? (
        <BulkDecisionBar pending={pending} selected={selected} onSelect={select} />
      ) : null}
      <CardGrid label="Approvals">
        {approvals.map((approval) => (
          <ApprovalCard
            key={approval.Id}
            approval={approval}
            isBusy={decide.isPending}
            onDecide={(approvalStatus, reason) =>
              decide.mutate({ approvalId: approval.Id, approvalStatus, ...reasonOf(approvalStatus, reason) })
            }
            selection={
              pending.length > 1 && approval.ApprovalStatus === 'PENDING'
                ? {
                    isSelected: selected.has(approval.Id),
                    onToggle: () => select(selected.symmetricDifference(new Set([approval.Id]))),
                  }
                : null
            }
          />
        ))}
      </CardGrid>
      <Pager
        label="Pages of approvals"
        page={page}
        pages={pages}
        onPage={(next) => {
          // What is selected is decided together, and must be in sight.
          select(new Set())
          goTo(next)
        }}
      />
    </>
  )
}

/** Only a rejection has a reason, and none is left out. */
function reasonOf(decision: ApprovalDecision, reason: string): { readonly reason?: string } {
  return decision === 'REJECTED' && reason.trim() !== '' ? { reason } : {}
}

/**
 * Keeps every card in its position until the page is left. The server lists pending requests first, so a decided card
 * would move and another request would slide under the pointer. New requests are added at the end.
 */
function useStableOrder(approvals: readonly Approval[] = []): readonly Approval[] {
  const [order, setOrder] = useState<readonly string[]>([])
  const added = approvals.filter(({ Id }) => !order.includes(Id)).map(({ Id }) => Id)
  const ids = added.length === 0 ? order : [...order, ...added]
  if (ids !== order) setOrder(ids)
  return ids.flatMap((id) => approvals.find(({ Id }) => Id === id) ?? [])
}

/**
 * Handles the link of an email. A signed link applies its decision at once. An unsigned link may be forged, so it
 * only opens a confirmation dialog.
 */
function LinkedDecision({ decide }: { decide: ReturnType<typeof useDecideApproval> }) {
  const orgId = useOrganisationId()
  const { approvalId } = useParams()
  const params = useUrlParams()
  const navigate = useNavigate()
  const sentSignature = useRef<string | null>(null)
  const status = parseDecision(params.get('status'))
  const signature = params.get('signature')
  const leave = () => void navigate(paths.adminApprovals, { replace: true })
  const { mutate } = decide
  const [reason, setReason] = useState('')

  useEffect(() => {
    if (approvalId === undefined || status === null || signature === null || sentSignature.current === signature) return
    sentSignature.current = signature
    mutate({ approvalId, approvalStatus: status, signature })
    void navigate(paths.adminApprovals, { replace: true })
  }, [approvalId, status, signature, mutate, navigate])

  const isOpen = approvalId !== undefined && signature === null
  const linked = useQuery({ ...linkedApproval(orgId, approvalId ?? ''), enabled: isOpen })
  if (!isOpen || linked.data === undefined) return null
  const approval = linked.data.rows.find(({ Id }) => Id === approvalId)
  if (approval === undefined) {
    return (
      <ErrorBanner message="You cannot decide this request. It may belong to another organisation." onDismiss={leave} />
    )
  }
  if (status === null || approval.ApprovalStatus !== 'PENDING') return null
  const verb = decisionVerbs[status]
  return (
    <FormDialog
      title={`${verb} this request?`}
      isBusy={decide.isPending}
      onClose={leave}
      onSubmit={() =>
        decide.mutate({ approvalId, approvalStatus: status, ...reasonOf(status, reason) }, { onSettled: leave })
      }
      submitLabel={verb}
      isDanger={status === 'REJECTED'}
      isSubmitFocused
    >
      <p>{approvalDescription(approval)}</p>
      {status === 'REJECTED' ? <ReasonField value={reason} onChange={setReason} /> : null}
    </FormDialog>
  )
}

function parseDecision(text: string | null): ApprovalDecision | null {
  const status = text?.toUpperCase()
  return status === 'APPROVED' || status === 'REJECTED' ? status : null
}

function useDecideApproval(orgId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: { approvalId: string; approvalStatus: ApprovalDecision; reason?: string; signature?: string }) =>
      call('POST /approvals', { body }),
    onSuccess: (decided) => {
      queryClient.setQueriesData<ApprovalRows>(everyApprovalList(orgId), (found) =>
        found === undefined
          ? undefined
          : { ...found, rows: found.rows.map((one) => (one.Id === decided.Id ? decided : one)) },
      )
      announceToScreenReader(
        decided.ApprovalStatus === 'APPROVED'
          ? 'Approved. The applicant gets an email.'
          : 'Rejected. The applicant gets an email.',
      )
    },
    onSettled: () => queryClient.invalidateQueries(everyApprovalList(orgId)),
  })
}
