import type { Approval } from '@tributary/contract/approvals'
import { Button } from '@mantine/core'
import { useState } from 'react'
import { lazyDialog } from '../../ui/lazy.tsx'
import { type ApprovalDecision, decisionVerbs } from './approval-card.tsx'
import css from './approvals.module.css'

const LazyBulkDecisionDialog = lazyDialog(() => import('./bulk-decision-dialog.tsx'), 'BulkDecisionDialog')

interface BulkDecisionBarProps {
  pending: readonly Approval[]
  selected: ReadonlySet<string>
  onSelect: (ids: ReadonlySet<string>) => void
}

/** Selects requests and decides them together. Rendered if more than one is pending. */
export function BulkDecisionBar({ pending, selected, onSelect }: BulkDecisionBarProps) {
  const [decision, setDecision] = useState<ApprovalDecision | null>(null)
  const chosen = pending.filter(({ Id }) => selected.has(Id))
  return (
    // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- a fieldset cannot be laid out in a row in every browser.
    <div className={css.bar} role="group" aria-label="Pending requests">
      <output>
        {chosen.length === 0 ? `${pending.length} pending` : `${chosen.length} of ${pending.length} selected`}
      </output>
      {chosen.length === pending.length ? null : (
        <Button variant="subtle" size="compact-sm" onClick={() => onSelect(new Set(pending.map(({ Id }) => Id)))}>
          Select all
        </Button>
      )}
      {chosen.length === 0 ? null : (
        <>
          {(['APPROVED', 'REJECTED'] as const).map((each) => (
            <Button key={each} variant="default" size="compact-sm" onClick={() => setDecision(each)}>
              {`${decisionVerbs[each]} selected`}
            </Button>
          ))}
          <Button variant="subtle" size="compact-sm" onClick={() => onSelect(new Set())}>
            Clear selection
          </Button>
        </>
      )}
      {decision === null ? null : (
        <LazyBulkDecisionDialog
          approvals={chosen}
          decision={decision}
          onDone={(ids) => onSelect(selected.difference(new Set(ids)))}
          onClose={() => setDecision(null)}
        />
      )}
    </div>
  )
}
