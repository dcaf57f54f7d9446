/** Chooses the mails of an organisation or of a person. */
import type { AlertChoice } from '@tributary/contract/alert-channels'
import { RadioGroup } from '../../ui/forms/radio-group.tsx'
import { MutationDialog } from '../requests/mutation-dialog.tsx'
import { AlertChoiceFields } from './alert-choice-fields.tsx'
import { type AlertOwner, useSaveMail } from './alert-queries.ts'
import { defaultDraft, toChoiceInput, toDraft, useAlertDraft } from './use-alert-draft.ts'

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
  const { draft, isDirty, missing, change, validate } = useAlertDraft(mail === null ? null : toDraft(mail))
  const save = useSaveMail(owner, onClose)
  return (
    <MutationDialog
      kind="drawer"
      title="Mails"
      isDirty={isDirty}
      mutation={save}
      onClose={onClose}
      onSubmit={() => validate() && save.mutate(draft === null ? null : toChoiceInput(draft))}
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
        <AlertChoiceFields
          owner={owner}
          draft={draft}
          timeZone={mail?.TimeZone ?? null}
          missing={missing}
          onChange={change}
        />
      )}
    </MutationDialog>
  )
}
