import type { Load } from '@tributary/contract/loads'
import { Button } from '@mantine/core'
import { useNavigate } from 'react-router'
import { paths } from '../../paths.ts'
import { showToast } from '../../ui/feedback/toasts.tsx'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { useUndoLoad } from './api.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { formatRowCount } from './load-wording.ts'

export function UndoLoadDialog({ load, onClose }: { load: Load; onClose: () => void }) {
  const navigate = useNavigate()
  const undo = useUndoLoad(load.Id, ({ Id }) => {
    showToast(`${load.RecordName} is as it was before that load.`)
    onClose()
    void navigate(paths.load(Id))
  })
  return (
    <Dialog
      kind="modal"
      title="Undo this load?"
      isBusy={undo.isPending}
      onClose={onClose}
      onSubmit={() => undo.mutate()}
      footer={
        <>
          <CancelButton hasFocus />
          <Button type="submit" color="red" loading={undo.isPending}>
            Undo the load
          </Button>
        </>
      }
    >
      <MutationError of={undo} />
      <p>{`${undoConsequences(load)} The receipt and its change log stay.`}</p>
    </Dialog>
  )
}

function undoConsequences({ Rows, RowsBefore, RecordName }: Load): string {
  const leaving = `${formatRowCount(Rows)} ${Rows === 1 ? 'leaves' : 'leave'} ${RecordName}`
  if (RowsBefore === 0) return `${leaving}. The table had no rows there before.`
  return `${leaving}, and ${formatRowCount(RowsBefore)} from before ${RowsBefore === 1 ? 'is' : 'are'} restored.`
}
