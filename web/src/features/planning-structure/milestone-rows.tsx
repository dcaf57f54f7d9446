import type { Milestone, PlanVersion } from '@tributary/contract/planning-records'
import { useMay } from '../../api/session/workspace.ts'
import { StatusBadge } from '../../ui/display/status-badge.tsx'
import { recordStatusBadge } from '../../domain/records/record-status.ts'
import type { Subrow } from '../../ui/tables/data-table.tsx'
import css from './planning-structure.module.css'
import { recordNameId, EditingActions } from './record-page.tsx'

/** The milestones of a version, as rows below it in the same columns. */
export function useMilestoneRows(
  onOpen: (what: 'edit' | 'delete', milestone: Milestone) => void,
): (version: PlanVersion) => readonly Subrow[] {
  const may = useMay()
  const actions = (milestone: Milestone) => (
    <EditingActions
      describedBy={recordNameId(milestone)}
      onEdit={() => onOpen('edit', milestone)}
      onDelete={may('deleteStructure') ? () => onOpen('delete', milestone) : null}
    />
  )
  return ({ Milestones }) =>
    Milestones.map((milestone) => ({
      key: milestone.Id,
      cells: {
        Name: (
          <span className={css.name}>
            <span className="visually-hidden">Milestone </span>
            <span id={recordNameId(milestone)}>{milestone.Name}</span>
          </span>
        ),
        Status: <StatusBadge {...recordStatusBadge(milestone.Status.Name)} />,
        Manage: may('editStructure') ? actions(milestone) : null,
      },
    }))
}
