import { DeleteDialog } from '../../domain/records/delete-dialog.tsx'
import type { AnyRecord, Kind } from './record-kind.ts'
import { useRefresh } from './use-records.ts'

interface DeleteRecordDialogProps<Row extends AnyRecord> {
  kind: Kind<Row>
  row: Row
  onClose: () => void
}

export function DeleteRecordDialog<Row extends AnyRecord>({ kind, row, onClose }: DeleteRecordDialogProps<Row>) {
  const refresh = useRefresh()
  async function remove() {
    await kind.remove(row.Id)
    await refresh()
  }
  return (
    <DeleteDialog name={row.Name} onDelete={remove} onClose={onClose}>
      <p>{kind.goesWith(row)}</p>
      <p className="small subtle">
        {kind.statuses.includes('archived')
          ? 'This cannot be undone. To only put it out of use, edit it and choose Archive.'
          : 'This cannot be undone.'}
      </p>
    </DeleteDialog>
  )
}
