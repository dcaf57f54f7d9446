import { AddRecordsDialog } from './add-records-dialog.tsx'
import { DeleteRecordDialog } from './delete-record-dialog.tsx'
import { EditRecordDialog } from './edit-record-dialog.tsx'
import type { PlanningRecord, PlanningRecordKind } from './record-kind.ts'

export type OpenRecordDialog<Row> = { readonly what: 'add' } | { readonly what: 'edit' | 'delete'; readonly row: Row }

export interface RecordDialogProps<Row extends PlanningRecord> {
  readonly kind: PlanningRecordKind<Row>
  readonly opened: OpenRecordDialog<Row>
  /** Adds one record per dialog instead of several lines. */
  readonly addsOne?: boolean
  readonly onAdded?: (rows: readonly Row[]) => void
  readonly onClose: () => void
}

export function RecordDialog<Row extends PlanningRecord>({
  kind,
  opened,
  addsOne = false,
  onAdded,
  onClose,
}: RecordDialogProps<Row>) {
  if (opened.what === 'edit') return <EditRecordDialog kind={kind} row={opened.row} onClose={onClose} />
  if (opened.what === 'delete') return <DeleteRecordDialog kind={kind} row={opened.row} onClose={onClose} />
  if (addsOne) return <EditRecordDialog kind={kind} row={null} onClose={onClose} />
  return <AddRecordsDialog kind={kind} onClose={onClose} {...(onAdded && { onAdded })} />
}
