import type { ClosedPeriodChange, DocumentState } from '@tributary/contract/closed-periods'
import { IconCheck, IconExternalLink, IconEqualNot, IconPlus, IconTrash } from '@tabler/icons-react'
import { IconX } from '@tabler/icons-react/visitor-icons'
import { LinkButton } from '../../ui/display/link-button.tsx'
import { RelativeTime } from '../../domain/time/relative-time.tsx'
import { StatusBadge, type StatusBadgeProps } from '../../ui/display/status-badge.tsx'
import { formatDay, formatDecimal } from '../../ui/formats.ts'
import type { TableColumn } from '../../ui/tables/data-table.tsx'
import css from './closed-periods.module.css'

const badges: Record<ClosedPeriodChange['Change'], StatusBadgeProps> = {
  added: { label: 'Added', tone: 'warn', icon: IconPlus },
  changed: { label: 'Changed', tone: 'warn', icon: IconEqualNot },
  voided: { label: 'Voided', tone: 'error', icon: IconX },
  deleted: { label: 'Deleted', tone: 'error', icon: IconTrash },
}

export function documentName({ Kind, Number, DocumentId }: ClosedPeriodChange): string {
  return `${Kind} ${Number ?? DocumentId}`
}

export function changeColumns(onRun: (runId: string) => void): TableColumn<ClosedPeriodChange>[] {
  return [
    { title: 'Document', cell: (change) => <DocumentCell change={change} /> },
    { title: 'Change', cell: (change) => <ChangeCell change={change} /> },
    { title: 'Before', cell: ({ Before }) => <StateCell state={Before} /> },
    { title: 'After', cell: ({ After }) => <StateCell state={After} /> },
    { title: 'Moved', note: 'In the closed period', cell: (change) => <MovedCell change={change} /> },
    { title: 'Seen', cell: (change) => <SeenCell change={change} onRun={onRun} /> },
  ]
}

function DocumentCell({ change }: { change: ClosedPeriodChange }) {
  const contact = (change.After ?? change.Before)?.Contact ?? null
  return (
    <span className={css.document}>
      {change.Address === null ? (
        documentName(change)
      ) : (
        <a href={change.Address} target="_blank" rel="noreferrer" className={css.outside}>
          {documentName(change)}
          <IconExternalLink size={14} />
          <span className="visually-hidden"> (opens at the source)</span>
        </a>
      )}
      {contact === null ? null : <span className={css.note}>{contact}</span>}
    </span>
  )
}

function StateCell({ state }: { state: DocumentState | null }) {
  if (state === null) return '–'
  return (
    <span className={css.document}>
      <span>{state.Dates.map((date) => formatDay(date, 'date')).join(', ')}</span>
      {state.Postings.map(({ AccountId, Code, Name, Amount }) => (
        <span key={AccountId} className={css.note}>
          {accountOf(Code, Name)} <span className={css.amount}>{formatDecimal(Amount, 2)}</span>
        </span>
      ))}
    </span>
  )
}

function MovedCell({ change }: { change: ClosedPeriodChange }) {
  if (change.Moved.length === 0) return 'No amount'
  return (
    <span className={css.document}>
      {change.Moved.map(({ AccountId, Code, Name, Moved }) => (
        <span key={AccountId}>
          {accountOf(Code, Name)} <strong className={css.amount}>{formatDecimal(Moved, 2)}</strong>
        </span>
      ))}
    </span>
  )
}

function ChangeCell({ change }: { change: ClosedPeriodChange }) {
  const { AcknowledgedAtUtc, AcknowledgedBy, Change, Reason } = change
  return (
    <span className={css.document}>
      <StatusBadge {...badges[Change]} />
      {AcknowledgedAtUtc === null ? null : (
        <>
          <StatusBadge label="Acknowledged" tone="ok" icon={IconCheck} />
          <span>{Reason}</span>
          <span className={css.note}>
            {AcknowledgedBy === null ? '' : `${AcknowledgedBy}, `}
            <RelativeTime at={AcknowledgedAtUtc} />
          </span>
        </>
      )}
    </span>
  )
}

/** When the run saw it, and when the source says it was changed. */
function SeenCell({ change, onRun }: { change: ClosedPeriodChange; onRun: (runId: string) => void }) {
  const { ChangedAtUtc, RunId, SeenAtUtc } = change
  return (
    <span className={css.document}>
      <LinkButton onClick={() => onRun(RunId)}>
        <RelativeTime at={SeenAtUtc} />
      </LinkButton>
      {ChangedAtUtc === null ? null : (
        <span className={css.note}>
          changed <RelativeTime at={ChangedAtUtc} />
        </span>
      )}
    </span>
  )
}

function accountOf(code: string | null, name: string | null): string {
  return [code, name].filter((part) => part !== null).join(' ')
}
