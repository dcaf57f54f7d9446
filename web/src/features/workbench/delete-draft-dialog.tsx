import type { WorkbenchDescription } from '@tributary/contract/workbench'
import { call } from '../../api/call.ts'
import { useInvalidate } from '../../api/use-invalidate.ts'
import { DeleteDialog } from '../../domain/records/delete-dialog.tsx'
import { descriptionList } from './api.ts'

interface DeleteDraftDialogProps {
  readonly draft: Pick<WorkbenchDescription, 'Id' | 'Name'>
  readonly onClose: () => void
  readonly onDeleted: () => void
}

export function DeleteDraftDialog({ draft: { Id, Name }, onClose, onDeleted }: DeleteDraftDialogProps) {
  const invalidate = useInvalidate()
  return (
    <DeleteDialog
      name={Name}
      onDelete={async () => {
        await call('DELETE /admin/workbench/descriptions/:descriptionId', { params: { descriptionId: Id } })
        await invalidate(descriptionList)
        onDeleted()
      }}
      onClose={onClose}
    >
      <p>The text is deleted for every superadmin. Download it first if you may need it. No connector changes.</p>
    </DeleteDialog>
  )
}
