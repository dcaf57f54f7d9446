import { DeleteDialog } from '../../domain/records/delete-dialog.tsx'
import { useRefreshStructure } from '../../api/queries/planning-structure.ts'
import type { PlanningRecord, PlanningRecordKind } from './record-kind.ts'

interface DeleteRecordDialogProps<Row extends PlanningRecord> {
  kind: PlanningRecordKind<Row>
  row: Row
  onClose: () => void
}

export function DeleteRecordDialog<Row extends PlanningRecord>({ kind, row, onClose }: DeleteRecordDialogProps<Row>) {
  const refreshLists = useRefreshStructure()
  async function remove() {
    await kind.remove(row.Id)
    await refreshLists()
  }
  return (
    <DeleteDialog name={row.Name} onDelete={remove} onClose={onClose}>
      <p>{kind.describeDeletion(row)}</p>
      <p className="small subtle">
        {kind.statuses.includes('archived')
          ? 'This cannot be undone. To disable it instead, edit it and choose Archive.'
          : 'This cannot be undone.'}
      </p>
    </DeleteDialog>
  )
}
