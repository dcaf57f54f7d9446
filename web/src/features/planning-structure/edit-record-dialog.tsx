/** One record: its name, and its status where there is a choice. */
import { Button } from '@mantine/core'
import { useState } from 'react'
import { CallError, messageOf } from '@tributary/client/call-error'
import { useMutation } from '../../api/use-mutation.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { tell } from '../../ui/feedback/toasts.tsx'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { ErrorBanner } from '../../ui/feedback/error-banner.tsx'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { type Form, useForm } from '../../ui/forms/form.ts'
import { RadioChoice } from '../../ui/forms/radio-group.tsx'
import type { AnyRecord, Kind, StatusName } from './record-kind.ts'
import { TablePreview } from './table-names.tsx'
import { statusOf, useChange, useRefresh } from './use-records.ts'

const choices: Readonly<Record<StatusName, { readonly label: string; readonly help: string }>> = {
  active: { label: 'Active', help: 'In use.' },
  locked: { label: 'Lock', help: 'What is loaded can be read; nothing more is written.' },
  archived: { label: 'Archive', help: 'Out of use, kept with its links; it can be brought back.' },
}

interface EditDialogProps<Row extends AnyRecord> {
  kind: Kind<Row>
  /** Null adds a new one. */
  row: Row | null
  onClose: () => void
}

export function EditDialog<Row extends AnyRecord>({ kind, row, onClose }: EditDialogProps<Row>) {
  const form = useForm({ name: row?.Name ?? '' }, {})
  const stored = row === null ? 'active' : statusOf(row)
  const [status, setStatus] = useState(stored)
  const save = useSave(kind, row, onClose)
  const isDirty = form.isDirty || status !== stored

  function submit() {
    if (!form.validate()) return
    // That a name or its table is taken is said where the name stands.
    save.mutate(
      { name: nameIn(form), status },
      { onError: (error) => isAboutName(error) && form.fail({ name: error.message }) },
    )
  }
  return (
    <Dialog
      kind="modal"
      title={row === null ? kind.adding : `Edit ${row.Name}`}
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
      <ErrorBanner message={bannerFor(save.error)} onDismiss={save.reset} />
      <TextField field={form.text('name')} label={kind.nameLabel} hasFocus isRequired />
      {kind.tablesOf === undefined ? null : (
        <TablePreview names={[nameIn(form)].filter(Boolean)} tablesOf={kind.tablesOf} />
      )}
      <StatusChoice statuses={kind.statuses} value={status} onChange={setStatus} />
    </Dialog>
  )
}

interface StatusChoiceProps {
  statuses: readonly StatusName[]
  value: StatusName
  onChange: (status: StatusName) => void
}

function StatusChoice({ statuses, value, onChange }: StatusChoiceProps) {
  if (statuses.length === 0) return null
  return (
    <RadioChoice
      label="Status"
      choices={statuses.map((each) => ({ value: each, ...choices[each] }))}
      value={value}
      onChange={onChange}
    />
  )
}

function nameIn({ values }: Form): string {
  return String(values['name']).trim()
}

function bannerFor(error: unknown): string | null {
  return error === null || isAboutName(error) ? null : messageOf(error)
}

function isAboutName(error: unknown): error is CallError {
  return error instanceof CallError && error.fields['name'] !== undefined
}

interface Entered {
  readonly name: string
  readonly status: StatusName
}

/** Sends only what differs. */
function useSave<Row extends AnyRecord>(kind: Kind<Row>, row: Row | null, onSaved: () => void) {
  const organisationId = useWorkspace().organisation.Id
  const change = useChange(kind)
  const refresh = useRefresh()
  return useMutation({
    mutationFn: async ({ name, status }: Entered) => {
      if (row !== null) {
        await change(row, { ...(name !== row.Name && { name }), ...(status !== statusOf(row) && { status }) })
        return
      }
      await kind.add(name, organisationId)
      await refresh()
      tell(`${name} is added.`)
    },
    onSuccess: onSaved,
  })
}
