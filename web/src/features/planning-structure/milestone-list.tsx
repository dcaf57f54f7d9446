import type { Milestone, PlanVersion } from '@tributary/contract/planning-records'
import { useMay } from '../../api/session/workspace.ts'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { recordStatusBadge } from '../../domain/records/record-status.ts'
import css from './planning-structure.module.css'
import { recordNameId, RowButtons } from './record-page.tsx'

interface MilestoneListProps {
  version: PlanVersion
  onEdit: (milestone: Milestone) => void
  onDelete: (milestone: Milestone) => void
}

export function MilestoneList({ version, onEdit, onDelete }: MilestoneListProps) {
  const may = useMay()
  if (version.Milestones.length === 0) return <p className={css.none}>This version has no milestones yet.</p>
  return (
    <ul className={css.milestones} aria-label={`Milestones of ${version.Name}`}>
      {version.Milestones.map((milestone) => (
        <li key={milestone.Id} className={css.milestone}>
          <span id={recordNameId(milestone)} className={css.milestoneName}>
            {milestone.Name}
          </span>
          <StatusBadge {...recordStatusBadge(milestone.Status.Name)} />
          {may('editStructure') ? (
            <span className={css.manage}>
              <RowButtons
                describedBy={recordNameId(milestone)}
                onEdit={() => onEdit(milestone)}
                onDelete={may('deleteStructure') ? () => onDelete(milestone) : null}
              />
            </span>
          ) : null}
        </li>
      ))}
    </ul>
  )
}
