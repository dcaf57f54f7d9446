/** Edits one record: its name, and its status if it can be changed. */
import { Button } from '@mantine/core'
import { useState } from 'react'
import { CallError, messageOf } from '@tributary/client/call-error'
import { useMutation } from '../../api/use-mutation.ts'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { showToast } from '../../ui/feedback/toasts.tsx'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { type FormState, useForm } from '../../ui/forms/use-form.ts'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'
import type { PlanningRecord, PlanningRecordKind, RecordStatusName } from './record-kind.ts'
import { TableNamePreview } from './table-names.tsx'
import { recordStatus, useChangeRecord, useRefreshRecordLists } from './use-records.ts'

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
    <Dialog
      kind="modal"
      title={row === null ? kind.addLabel : `Edit ${row.Name}`}
      isDirty={isDirty}
      isBusy={save.isPending}
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <CancelButton />
          <Button type="submit" loading={save.isPending}>
            {row === null ? 'Add' : 'Apply'}
          </Button>
        </>
      }
    >
      <ErrorBanner message={bannerMessage(save.error)} onDismiss={save.reset} />
      <TextField field={form.bind('name')} label={kind.nameLabel} hasFocus isRequired />
      {kind.tableNames === undefined ? null : (
        <TableNamePreview names={[enteredName(form)].filter(Boolean)} tablesOf={kind.tableNames} />
      )}
      <StatusChoice statuses={kind.statuses} value={status} onChange={setStatus} />
    </Dialog>
  )
}

interface StatusChoiceProps {
  statuses: readonly RecordStatusName[]
  value: RecordStatusName
  onChange: (status: RecordStatusName) => void
}

function StatusChoice({ statuses, value, onChange }: StatusChoiceProps) {
  if (statuses.length === 0) return null
  return (
    <RadioGroup
      label="Status"
      choices={statuses.map((each) => ({ value: each, ...statusChoices[each] }))}
      value={value}
      onChange={onChange}
    />
  )
}

function enteredName({ values }: FormState): string {
  return String(values['name']).trim()
}

function bannerMessage(error: unknown): string | null {
  return error === null || isNameError(error) ? null : messageOf(error)
}

function isNameError(error: unknown): error is CallError {
  return error instanceof CallError && error.fields['name'] !== undefined
}

interface RecordInput {
  readonly name: string
  readonly status: RecordStatusName
}

/** Sends only changed fields. */
function useSaveRecord<Row extends PlanningRecord>(
  kind: PlanningRecordKind<Row>,
  row: Row | null,
  onSaved: () => void,
) {
  const organisationId = useOrganisationId()
  const change = useChangeRecord(kind)
  const refresh = useRefreshRecordLists()
  return useMutation({
    mutationFn: async ({ name, status }: RecordInput) => {
      if (row !== null) {
        await change(row, { ...(name !== row.Name && { name }), ...(status !== recordStatus(row) && { status }) })
        return
      }
      await kind.add(name, organisationId)
      await refresh()
      showToast(`${name} is added.`)
    },
    onSuccess: onSaved,
  })
}
