import { IconCheck, IconCircleX } from '@tabler/icons-react'
import { IconCircleCheck } from '@tabler/icons-react/visitor-icons'
import type { StreamProof } from '@tributary/contract/workbench'
import { type StatusBadgeProps, StatusBadge } from '../../ui/display/status-badge.tsx'
import { formatCount } from '../../ui/formats.ts'
import { DataTable, type TableColumn } from '../../ui/tables/data-table.tsx'
import css from './workbench.module.css'

const badges: Readonly<Record<StreamProof['Verdict'], StatusBadgeProps>> = {
  provenLive: { label: 'Proven live', tone: 'ok', icon: IconCircleCheck },
  provenSimulated: { label: 'Proven simulated', tone: 'info', icon: IconCheck },
  notProven: { label: 'Not proven', tone: 'error', icon: IconCircleX },
}

const checkWords: Readonly<Record<StreamProof['Check'], string>> = {
  paging: 'Paging',
  types: 'Types',
  order: 'Order',
  limits: 'Limits',
  ties: 'Ties',
  lateCommits: 'Late commits',
  deletes: 'Deletes',
  cuts: 'Cuts',
  kills: 'Kills',
}

const columns: readonly TableColumn<StreamProof>[] = [
  { title: 'Check', cell: ({ Check }) => checkWords[Check] },
  { title: 'Stream', cell: ({ Stream }) => Stream },
  { title: 'Verdict', cell: ({ Verdict }) => <StatusBadge {...badges[Verdict]} /> },
  { title: 'Why', cell: ({ Why }) => Why },
]

interface ProofTableProps {
  readonly proofs: readonly StreamProof[]
  /** Nothing is left to prove. */
  readonly isComplete: boolean
}

export function ProofTable({ proofs, isComplete }: ProofTableProps) {
  const count = (verdict: StreamProof['Verdict']) => proofs.filter(({ Verdict }) => Verdict === verdict).length
  return (
    <>
      <dl className={css.summary} aria-label={isComplete ? 'Result' : 'Result so far'}>
        {(['provenLive', 'provenSimulated', 'notProven'] as const).map((verdict) => (
          <div key={verdict}>
            <dt>
              <StatusBadge {...badges[verdict]} />
            </dt>
            <dd>{formatCount(count(verdict))}</dd>
          </div>
        ))}
      </dl>
      {isComplete && count('notProven') > 0 ? (
        <p className="muted">
          What is not proven may still be right. The reason says what the account or the description lacks for a proof.
        </p>
      ) : null}
      <DataTable
        caption="What is proven"
        rows={proofs}
        rowKey={({ Stream, Check }) => `${Stream} ${Check}`}
        columns={columns}
      />
    </>
  )
}
