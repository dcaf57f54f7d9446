/** Saves the query of the editor: as a new one, or over the one that is open. */
import type { QueryChart, SavedQuery } from '@tributary/contract/queries'
import { useNavigate } from 'react-router'
import { fieldErrorsOf } from '../../domain/requests/field-errors.ts'
import { MutationDialog } from '../../domain/requests/mutation-dialog.tsx'
import { paths } from '../../paths.ts'
import { CancelButton } from '../../ui/dialogs/dialog.tsx'
import { SwitchField } from '../../ui/forms/choice-fields.tsx'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { useSaveQuery } from './query-api.ts'

interface SaveQueryDialogProps {
  readonly saved: SavedQuery | null
  readonly database: string
  readonly statement: string
  readonly chart: QueryChart | null
  readonly onClose: () => void
}

export function SaveQueryDialog({ saved, database, statement, chart, onClose }: SaveQueryDialogProps) {
  const navigate = useNavigate()
  // Another person's query is saved as a copy.
  const own = saved?.IsOwn === true ? saved : null
  const form = useForm({ name: own?.Name ?? '', isShared: own?.IsShared ?? false })
  const save = useSaveQuery(own?.Id ?? null, ({ Id }) => {
    onClose()
    void navigate(paths.query(Id))
  })
  function submit() {
    if (!form.validate()) return
    const input = {
      name: String(form.values['name']).trim(),
      isShared: form.values['isShared'] === true,
      database,
      statement,
      chart,
    }
    save.mutate(input, { onError: (error) => form.showErrors(fieldErrorsOf(error)) })
  }
  return (
    <MutationDialog
      title={own === null ? 'Save the query' : `Save ${own.Name}`}
      isDirty={form.isDirty}
      mutation={save}
      onClose={onClose}
      onSubmit={submit}
      submitLabel="Save"
      otherButtons={<CancelButton />}
    >
      <TextField field={form.bind('name')} label="Name" isRequired hasFocus />
      <SwitchField
        field={form.bindSwitch('isShared')}
        label="Share with the organisation"
        help="Others see the text and run it under their own login, so they get only rows that they may read."
      />
    </MutationDialog>
  )
}
