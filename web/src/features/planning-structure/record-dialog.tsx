import { AddDialog } from './add-records-dialog.tsx'
import { DeleteRecordDialog } from './delete-record-dialog.tsx'
import { EditDialog } from './edit-record-dialog.tsx'
import type { AnyRecord, Kind } from './record-kind.ts'

export type OpenedRecord<Row> = { readonly what: 'add' } | { readonly what: 'edit' | 'delete'; readonly row: Row }

export interface RecordDialogProps<Row extends AnyRecord> {
  readonly kind: Kind<Row>
  readonly opened: OpenedRecord<Row>
  /** One name at a time instead of a box for many. */
  readonly addsOne?: boolean
  readonly onAdded?: (rows: readonly Row[]) => void
  readonly onClose: () => void
}

export function RecordDialog<Row extends AnyRecord>({
  kind,
  opened,
  addsOne = false,
  onAdded,
  onClose,
}: RecordDialogProps<Row>) {
  if (opened.what === 'edit') return <EditDialog kind={kind} row={opened.row} onClose={onClose} />
  if (opened.what === 'delete') return <DeleteRecordDialog kind={kind} row={opened.row} onClose={onClose} />
  if (addsOne) return <EditDialog kind={kind} row={null} onClose={onClose} />
  return <AddDialog kind={kind} onClose={onClose} {...(onAdded && { onAdded })} />
}
