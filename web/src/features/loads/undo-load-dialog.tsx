import type { Load } from '@tributary/contract/loads'
import { useNavigate } from 'react-router'
import { paths } from '../../paths.ts'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { CancelButton } from '../../ui/dialogs/dialog.tsx'
import { useUndoLoad } from './api.ts'
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'
import { formatRowCount } from '../../ui/formats.ts'

export function UndoLoadDialog({ load, onClose }: { load: Load; onClose: () => void }) {
  const navigate = useNavigate()
  const undo = useUndoLoad(load.Id, ({ Id }) => {
    announceToScreenReader(`${load.RecordName} is as it was before that load.`)
    onClose()
    void navigate(paths.load(Id))
  })
  return (
    <MutationDialog
      title="Undo this load?"
      mutation={undo}
      onClose={onClose}
      onSubmit={() => undo.mutate()}
      submitLabel="Undo the load"
      isDanger
      otherButtons={<CancelButton hasFocus />}
    >
      <p>{`${undoConsequences(load)} The receipt and its change log stay.`}</p>
    </MutationDialog>
  )
}

function undoConsequences({ Rows, RowsBefore, RecordName }: Load): string {
  const leaving = `${formatRowCount(Rows)} ${Rows === 1 ? 'leaves' : 'leave'} ${RecordName}`
  if (RowsBefore === 0) return `${leaving}. The table had no rows there before.`
  return `${leaving}, and ${formatRowCount(RowsBefore)} from before ${RowsBefore === 1 ? 'is' : 'are'} restored.`
}
