/** Chooses the mails of an organisation or of a person. */
import type { AlertChoice } from '@tributary/contract/alert-channels'
import { useState } from 'react'
import { Callout } from '../../ui/feedback/callout.tsx'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'
import { MutationDialog } from '../requests/mutation-dialog.tsx'
import {
  AlertChoiceFields,
  type AlertDraft,
  defaultDraft,
  findMissing,
  toChoiceInput,
  toDraft,
} from './alert-choice-fields.tsx'
import { type AlertOwner, useSaveMail } from './alert-queries.ts'

interface MailDialogProps {
  readonly owner: AlertOwner
  readonly mail: AlertChoice | null
  readonly onClose: () => void
}

const sources = {
  organisation: [
    {
      value: 'default',
      label: 'At once, to the recipients of each connector',
      help: 'These are the administrators, unless the settings of a connector name others.',
    },
    {
      value: 'chosen',
      label: 'As chosen here',
      help: 'To the same recipients, except those who choose for themselves in their profile.',
    },
  ],
  person: [
    {
      value: 'default',
      label: 'As the administrators chose',
      help: 'You get the mails of the connectors whose recipients include you.',
    },
    { value: 'chosen', label: 'As I choose here' },
  ],
} as const

export function MailDialog({ owner, mail, onClose }: MailDialogProps) {
  const [draft, setDraft] = useState<AlertDraft | null>(mail === null ? null : toDraft(mail))
  const [isDirty, setDirty] = useState(false)
  const [missing, setMissing] = useState<string | null>(null)
  const save = useSaveMail(owner, onClose)
  function change(next: AlertDraft | null) {
    setDraft(next)
    setDirty(true)
    setMissing(null)
  }
  function submit() {
    const lacking = draft === null ? null : findMissing(draft)
    setMissing(lacking)
    if (lacking === null) save.mutate(draft === null ? null : toChoiceInput(draft))
  }
  return (
    <MutationDialog
      kind="drawer"
      title="Mails"
      isDirty={isDirty}
      mutation={save}
      onClose={onClose}
      onSubmit={submit}
      submitLabel="Save"
    >
      <RadioGroup
        label="Which mails are sent"
        choices={sources[owner]}
        value={draft === null ? 'default' : 'chosen'}
        onChange={(value) => change(value === 'default' ? null : defaultDraft)}
        hasFocus
      />
      {draft === null ? null : (
        <AlertChoiceFields owner={owner} draft={draft} timeZone={mail?.TimeZone ?? null} onChange={change} />
      )}
      {missing === null ? null : (
        <Callout tone="error" isAlert>
          {missing}
        </Callout>
      )}
    </MutationDialog>
  )
}
