/** Edits one record: its name, and its status if it can be changed. */
import { useState } from 'react'
import { CallError } from '@tributary/client/call-error'
import { useMutation } from '../../api/use-mutation.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { announceToScreenReader } from '../../ui/feedback/toasts.tsx'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { type FormState, useForm } from '../../ui/forms/use-form.ts'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'
import type { PlanningRecord, PlanningRecordKind, RecordStatusName } from './record-kind.ts'
import { TableNamePreview } from './table-names.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { useRefreshStructure } from '../../api/queries/planning-structure.ts'
import { recordStatus, useChangeRecord, type RecordEdit } from './use-records.ts'

const statusChoices: Readonly<Record<RecordStatusName, { readonly label: string; readonly help: string }>> = {
  active: { label: 'Active', help: 'In use.' },
  locked: { label: 'Lock', help: 'What is loaded can be read; nothing more is written.' },
  archived: { label: 'Archive', help: 'Out of use, kept with its links; it can be brought back.' },
}

interface EditRecordDialogProps<Row extends PlanningRecord> {
  kind: PlanningRecordKind<Row>
  /** Null to add a record. */
  row: Row | null
  onClose: () => void
}

export function EditRecordDialog<Row extends PlanningRecord>({ kind, row, onClose }: EditRecordDialogProps<Row>) {
  const form = useForm({ name: row?.Name ?? '' }, {})
  const stored = row === null ? 'active' : recordStatus(row)
  const [status, setStatus] = useState(stored)
  const save = useSaveRecord(kind, row, onClose)
  const isDirty = form.isDirty || status !== stored

  function submit() {
    if (!form.validate()) return
    // A name or table that is already taken is shown at the name field.
    save.mutate(
      { name: enteredName(form), status },
      { onError: (error) => isNameError(error) && form.showErrors({ name: error.message }) },
    )
  }
  return (
    <FormDialog
      title={row === null ? kind.addLabel : `Edit ${row.Name}`}
      isDirty={isDirty}
      isBusy={save.isPending}
      onClose={onClose}
      onSubmit={submit}
      submitLabel={row === null ? 'Add' : 'Apply'}
    >
      <MutationError of={{ ...save, error: isNameError(save.error) ? null : save.error }} />
      <TextField field={form.bind('name')} label={kind.nameLabel} hasFocus isRequired />
      <TableNamePreview names={[enteredName(form)].filter(Boolean)} tablesOf={kind.tableNames} />
      {kind.statuses.length === 0 ? null : (
        <RadioGroup
          label="Status"
          choices={kind.statuses.map((each) => ({ value: each, ...statusChoices[each] }))}
          value={status}
          onChange={setStatus}
        />
      )}
    </FormDialog>
  )
}

function enteredName({ values }: FormState): string {
  return String(values['name']).trim()
}

function isNameError(error: unknown): error is CallError {
  return error instanceof CallError && error.fields['name'] !== undefined
}

/** Sends only changed fields. */
function useSaveRecord<Row extends PlanningRecord>(
  kind: PlanningRecordKind<Row>,
  row: Row | null,
  onSaved: () => void,
) {
  const organisationId = useOrganisationId()
  const change = useChangeRecord(kind)
  const refresh = useRefreshStructure()
  return useMutation({
    mutationFn: async ({ name, status }: Required<RecordEdit>) => {
      if (row !== null) {
        await change(row, { ...(name !== row.Name && { name }), ...(status !== recordStatus(row) && { status }) })
        return
      }
      await kind.add(name, organisationId)
      await refresh()
      announceToScreenReader(`${name} is added.`)
    },
    onSuccess: onSaved,
  })
}
