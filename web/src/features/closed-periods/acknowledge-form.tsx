import type { ConnectorParams } from '../../api/queries/runs.ts'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { useAcknowledge } from './api.ts'
import { SmallForm, trimmed } from './small-form.tsx'

interface AcknowledgeFormProps {
  readonly ids: ConnectorParams
  /** Ids of the changes to acknowledge. */
  readonly changes: string[]
  /** False: no row is selected, and all open changes of the list are meant. */
  readonly areChosen: boolean
}

/** Acknowledges the selected changes, or all that are open in the list, with one reason. */
export function AcknowledgeForm({ ids, changes, areChosen }: AcknowledgeFormProps) {
  const form = useForm({ reason: '' })
  const acknowledge = useAcknowledge(ids)
  const count = changes.length
  const what = areChosen
    ? `${count} selected ${count === 1 ? 'change' : 'changes'}`
    : count === 1
      ? 'the open change'
      : `all ${count} open changes`
  return (
    <SmallForm
      form={form}
      mutation={acknowledge}
      body={() => ({ changes, reason: trimmed(form, 'reason') })}
      onSuccess={() => form.setValues({ reason: '' })}
      submit={{ label: `Acknowledge ${what}`, variant: 'default' }}
    >
      <TextField
        field={form.bind('reason')}
        label="Reason"
        help="Why the changes are right, such as who agreed to them. It is kept with your name."
        isRequired
      />
    </SmallForm>
  )
}
