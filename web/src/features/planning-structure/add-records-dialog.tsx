/** Adds several records at once, one name a line. */
import { useRef } from 'react'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { BulkAddDialog } from '../../domain/records/bulk-add-dialog.tsx'
import { type BulkLine, formatNameCount, parseNames } from '../../domain/records/bulk-add-lines.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import type { PlanningRecord, PlanningRecordKind } from './record-kind.ts'
import { useRefreshStructure } from '../../api/queries/planning-structure.ts'
import { TableNamePreview } from './table-names.tsx'

const bulkLabels = { submit: 'Add', done: 'added', summary: formatNameCount }
const namesField = { label: 'Names', help: 'One per line. Ctrl+Enter adds them.' }

interface AddRecordsDialogProps<Row extends PlanningRecord> {
  kind: PlanningRecordKind<Row>
  onClose: () => void
  /** Called after all of them were added. */
  onAdded?: (rows: readonly Row[]) => void
}

export function AddRecordsDialog<Row extends PlanningRecord>({ kind, onClose, onAdded }: AddRecordsDialogProps<Row>) {
  const organisationId = useOrganisationId()
  const refreshLists = useRefreshStructure()
  const added = useRef<Row[]>([])

  async function onSent(sent: readonly BulkLine[]) {
    await refreshLists()
    const [first] = sent
    if (first !== undefined)
      announceToScreenReader(sent.length === 1 ? `${first.line} is added.` : `${sent.length} ${kind.many} are added.`)
  }
  return (
    <BulkAddDialog
      title={kind.addLabel}
      field={namesField}
      words={bulkLabels}
      parse={parseNames}
      send={async ({ line }) => {
        added.current.push(await kind.add(line, organisationId))
      }}
      onSent={onSent}
      onAllSent={() => {
        onAdded?.(added.current)
        onClose()
      }}
      onClose={onClose}
      renderPreview={(lines) => <TableNamePreview names={validNames(lines)} tablesOf={kind.tableNames} />}
    />
  )
}

function validNames(lines: readonly BulkLine[]): readonly string[] {
  return lines.filter(({ error }) => error === null).map(({ line }) => line)
}
