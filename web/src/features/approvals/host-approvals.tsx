/** Hosts of connectors whose sources customers have described, for the provider to decide. */
import type { HostApproval } from '@tributary/contract/approvals'
import { rejectionReasonMax } from '@tributary/contract/limits'
import { Button, Textarea } from '@mantine/core'
import { IconCheck, IconClock, IconPlugOff } from '@tabler/icons-react'
import { IconX } from '@tabler/icons-react/visitor-icons'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/call.ts'
import { useMutation } from '../../api/use-mutation.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { CardGrid, RecordCard } from '../../ui/display/record-card.tsx'
import { type StatusBadgeProps, StatusBadge } from '../../ui/display/status-badge.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { Pager } from '../../ui/tables/pager.tsx'
import { usePageCount } from '../../ui/tables/use-page-count.ts'
import { approvalPageSize, everyHostApprovalList, type HostApprovalRows, hostApprovalPage } from './approval-queries.ts'
import css from './approvals.module.css'

type Decision = Exclude<HostApproval['Status'], 'WAITING'>

const badges: Readonly<Record<HostApproval['Status'], StatusBadgeProps>> = {
  WAITING: { label: 'Waiting', tone: 'warn', icon: IconClock },
  APPROVED: { label: 'Approved', tone: 'ok', icon: IconCheck },
  REFUSED: { label: 'Refused', tone: 'error', icon: IconX },
  WITHDRAWN: { label: 'Withdrawn', tone: 'quiet', icon: IconPlugOff },
}

interface OpenDecision {
  readonly approval: HostApproval
  readonly decision: Decision
}

export function HostApprovals() {
  const [page, setPage] = useState(1)
  const query = useQuery(hostApprovalPage(page))
  const pages = usePageCount(query, { page, pageSize: approvalPageSize, goTo: setPage })
  const [open, setOpen] = useState<OpenDecision | null>(null)
  const decide = useDecideHosts(() => setOpen(null))
  if (query.data === undefined || query.data.total === 0) return null
  return (
    <>
      <h2 className={css.heading}>Hosts of connectors</h2>
      <p className={`small muted ${css.hint}`}>
        Customers have described these sources. Their connectors send nothing to a host before you have approved it.
      </p>
      <CardGrid label="Hosts of connectors">
        {query.data.rows.map((approval) => (
          <HostCard
            key={approval.ConnectorId}
            approval={approval}
            onDecide={(decision) => setOpen({ approval, decision })}
          />
        ))}
      </CardGrid>
      <Pager label="Pages of hosts" page={page} pages={pages} onPage={setPage} />
      {open === null ? null : (
        <DecisionDialog
          {...open}
          failed={<MutationError of={decide} />}
          isBusy={decide.isPending}
          onClose={() => {
            decide.reset()
            setOpen(null)
          }}
          onSubmit={(reason) => decide.mutate({ ...open, reason })}
        />
      )}
    </>
  )
}

const verbs: Readonly<Record<Decision, string>> = { APPROVED: 'Approve', REFUSED: 'Refuse', WITHDRAWN: 'Withdraw' }
const offered: Readonly<Record<HostApproval['Status'], readonly Decision[]>> = {
  WAITING: ['APPROVED', 'REFUSED'],
  APPROVED: ['WITHDRAWN'],
  REFUSED: ['APPROVED'],
  WITHDRAWN: ['APPROVED'],
}

interface HostCardProps {
  readonly approval: HostApproval
  readonly onDecide: (decision: Decision) => void
}

function HostCard({ approval, onDecide }: HostCardProps) {
  const { ConnectorId, ConnectorName, CompanyName, Hosts, Status, Description, Reason } = approval
  const titleId = `hosts-${ConnectorId}`
  return (
    <RecordCard
      titleId={titleId}
      mark={null}
      title={Hosts.join(', ')}
      subtitle={`${ConnectorName} of ${CompanyName}`}
      badge={<StatusBadge {...badges[Status]} />}
      footer={offered[Status].map((decision) => (
        <Button
          key={decision}
          variant={decision === 'APPROVED' ? 'filled' : 'default'}
          px={12}
          aria-describedby={titleId}
          onClick={() => onDecide(decision)}
        >
          {verbs[decision]}
        </Button>
      ))}
    >
      <HostFacts approval={approval} />
      {Reason === null ? null : <p className={css.reason}>{`Reason: ${Reason}`}</p>}
      <details>
        <summary className="small">Description</summary>
        {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be reachable by key to be scrolled by key. */}
        <section className={css.description} tabIndex={0} aria-label={`Description of ${ConnectorName}`}>
          <pre>{Description}</pre>
        </section>
      </details>
    </RecordCard>
  )
}

function HostFacts({ approval }: { approval: HostApproval }) {
  const { Hosts, ApprovedHosts, RequestedBy, RequestedAtUtc, DecidedBy, DecidedAtUtc, Status } = approval
  const former = ApprovedHosts.filter((host) => !Hosts.includes(host))
  return (
    <>
      <p className="small subtle">
        Requested <RelativeTime at={RequestedAtUtc} />
        {RequestedBy === null ? null : ` by ${RequestedBy}`}
      </p>
      {Status === 'WAITING' || DecidedAtUtc === null ? null : (
        <p className="small subtle">
          {badges[Status].label} <RelativeTime at={DecidedAtUtc} />
          {DecidedBy === null ? null : ` by ${DecidedBy}`}
        </p>
      )}
      {Status !== 'WAITING' || former.length === 0 ? null : (
        <p className="small subtle">{`Approved before: ${former.join(', ')}`}</p>
      )}
    </>
  )
}

interface DecisionDialogProps extends OpenDecision {
  readonly failed: React.ReactNode
  readonly isBusy: boolean
  readonly onClose: () => void
  readonly onSubmit: (reason: string) => void
}

const consequences: Readonly<Record<Decision, string>> = {
  APPROVED: 'The connector may send its credentials and calls there.',
  REFUSED: 'Nothing is sent there. The administrator sees your reason.',
  WITHDRAWN: 'The connector stops, and nothing is sent there. The administrator sees your reason.',
}

function DecisionDialog({ approval, decision, failed, isBusy, onClose, onSubmit }: DecisionDialogProps) {
  const { Hosts, ConnectorName, CompanyName } = approval
  const [reason, setReason] = useState('')
  const needsReason = decision !== 'APPROVED'
  const [isMissing, setMissing] = useState(false)
  return (
    <FormDialog
      title={`${verbs[decision]} ${Hosts.join(' and ')}?`}
      isBusy={isBusy}
      onClose={onClose}
      onSubmit={() => {
        if (needsReason && reason.trim() === '') setMissing(true)
        else onSubmit(reason)
      }}
      submitLabel={verbs[decision]}
      isDanger={needsReason}
      isSubmitFocused={!needsReason}
    >
      {failed}
      <p>{`${ConnectorName} of ${CompanyName}. ${consequences[decision]}`}</p>
      {needsReason ? (
        <Textarea
          label="Reason"
          rows={2}
          maxLength={rejectionReasonMax}
          value={reason}
          error={isMissing && reason.trim() === '' ? 'required' : null}
          data-autofocus
          onChange={(event) => setReason(event.currentTarget.value)}
        />
      ) : null}
    </FormDialog>
  )
}

function useDecideHosts(onDecided: () => void) {
  const queryClient = useQueryClient()
  return useMutation({
    mutationFn: ({ approval, decision, reason }: OpenDecision & { readonly reason: string }) =>
      call('POST /approvals/hosts/:connectorId', {
        params: { connectorId: approval.ConnectorId },
        body: {
          decision,
          hosts: approval.Hosts,
          ...(decision !== 'APPROVED' && { reason }),
        },
      }),
    onSuccess: (decided) => {
      queryClient.setQueriesData<HostApprovalRows>(everyHostApprovalList, (found) =>
        found === undefined
          ? undefined
          : { ...found, rows: found.rows.map((one) => (one.ConnectorId === decided.ConnectorId ? decided : one)) },
      )
      announceToScreenReader(`${badges[decided.Status].label}: ${decided.Hosts.join(', ')}`)
      onDecided()
    },
    onSettled: () => queryClient.invalidateQueries(everyHostApprovalList),
  })
}
