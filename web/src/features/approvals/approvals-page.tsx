import type { Approval } from '@tributary/contract/approvals'
import { Button } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useNavigate, useParams } from 'react-router'
import { call } from '../../api/call.ts'
import { messageOf } from '@tributary/client/call-error'
import { approvalList } from '../../api/queries/common-queries.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { useMay, useWorkspace } from '../../api/session/workspace.ts'
import { paths } from '../../paths.ts'
import { useAddress } from '../../ui/hooks/search-params.ts'
import { tell } from '../../ui/feedback/toasts.tsx'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { EmptyState, LoadFailure } from '../../ui/feedback/empty-state.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { CardGrid } from '../../ui/display/record-card.tsx'
import { Allowed } from '../../domain/permissions/permission-gate.tsx'
import { SkeletonCards } from '../../ui/feedback/skeleton.tsx'
import { AdminPage } from '../../domain/admin/admin-page.tsx'
import { ApprovalCard, descriptionOf, type Decision } from './approval-card.tsx'

export function ApprovalsPage() {
  const may = useMay()
  return (
    <Allowed when={may('decideApprovals')} title="Approvals">
      <AdminPage title="Approvals">
        <ApprovalCards />
      </AdminPage>
    </Allowed>
  )
}

function ApprovalCards() {
  const orgId = useWorkspace().organisation.Id
  const { data, error, refetch } = useQuery(approvalList(orgId))
  const decide = useDecide(orgId)
  const approvals = useSteadyOrder(data)
  if (data === undefined) {
    if (error !== null) return <LoadFailure message={messageOf(error)} onRetry={() => void refetch()} />
    return <SkeletonCards count={3} height={148} />
  }
  return (
    <>
      <ErrorBanner message={decide.error === null ? null : messageOf(decide.error)} onDismiss={decide.reset} />
      <LinkedDecision approvals={data} decide={decide} />
      {data.length === 0 ? (
        <EmptyState kind="first" title="No request waits for you.">
          Requests to join your organisation appear here, and a mail tells you of each.
        </EmptyState>
      ) : null}
      <CardGrid label="Approvals">
        {approvals.map((approval) => (
          <ApprovalCard
            key={approval.Id}
            approval={approval}
            isBusy={decide.isPending}
            onDecide={(status) => decide.mutate({ approvalId: approval.Id, approvalStatus: status })}
          />
        ))}
      </CardGrid>
    </>
  )
}

/**
 * Keeps every card in its place until the page is left: the server lists pending requests first, so a decided one would move
 * and another request would come under the pointer. New requests are added at the end.
 */
function useSteadyOrder(approvals: readonly Approval[] = []): readonly Approval[] {
  const [order, setOrder] = useState<readonly string[]>([])
  const added = approvals.filter(({ Id }) => !order.includes(Id)).map(({ Id }) => Id)
  const ids = added.length === 0 ? order : [...order, ...added]
  if (ids !== order) setOrder(ids)
  return ids.flatMap((id) => approvals.find(({ Id }) => Id === id) ?? [])
}

/**
 * The link of a mail: with its signature the decision is applied at once; without one somebody else may have written the
 * link, so the choice is only laid out and asks for a click.
 */
function LinkedDecision({
  approvals,
  decide,
}: {
  approvals: readonly Approval[]
  decide: ReturnType<typeof useDecide>
}) {
  const { approvalId } = useParams()
  const params = useAddress()
  const navigate = useNavigate()
  const asked = useRef<string | null>(null)
  const status = statusOf(params.get('status'))
  const signature = params.get('signature')
  const leave = () => void navigate(paths.adminApprovals, { replace: true })
  const { mutate } = decide

  useEffect(() => {
    if (approvalId === undefined || status === null || signature === null || asked.current === signature) return
    asked.current = signature
    mutate({ approvalId, approvalStatus: status, signature })
    void navigate(paths.adminApprovals, { replace: true })
  }, [approvalId, status, signature, mutate, navigate])

  if (approvalId === undefined || signature !== null) return null
  const approval = approvals.find(({ Id }) => Id === approvalId)
  if (approval === undefined) {
    return (
      <ErrorBanner
        message="This request is not among those that you decide. It may belong to another organisation."
        onDismiss={leave}
      />
    )
  }
  if (status === null || approval.ApprovalStatus !== 'PENDING') return null
  const verb = status === 'APPROVED' ? 'Approve' : 'Reject'
  return (
    <Dialog
      kind="modal"
      title={`${verb} this request?`}
      isBusy={decide.isPending}
      onClose={leave}
      onSubmit={() => decide.mutate({ approvalId, approvalStatus: status }, { onSettled: leave })}
      footer={
        <>
          <CancelButton />
          <Button
            type="submit"
            color={status === 'APPROVED' ? 'brand' : 'red'}
            loading={decide.isPending}
            data-autofocus
          >
            {verb}
          </Button>
        </>
      }
    >
      <p>{descriptionOf(approval)}</p>
    </Dialog>
  )
}

function statusOf(text: string | null): Decision | null {
  const status = text?.toUpperCase()
  return status === 'APPROVED' || status === 'REJECTED' ? status : null
}

function useDecide(orgId: string) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: (body: { approvalId: string; approvalStatus: Decision; signature?: string }) =>
      call('POST /approvals', { body }),
    onSuccess: (decided) => {
      queryClient.setQueryData(approvalList(orgId).queryKey, (list) =>
        list?.map((one) => (one.Id === decided.Id ? decided : one)),
      )
      tell(
        decided.ApprovalStatus === 'APPROVED'
          ? 'Approved. The applicant is told by mail.'
          : 'Rejected. The applicant is told by mail.',
      )
    },
    onSettled: () => queryClient.invalidateQueries({ queryKey: approvalList(orgId).queryKey }),
  })
}
