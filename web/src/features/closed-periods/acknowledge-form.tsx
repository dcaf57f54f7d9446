import { Button } from '@mantine/core'
import type { ConnectorParams } from '../../api/queries/runs.ts'
import { fieldErrorsOf } from '../../domain/requests/field-errors.ts'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { TextField } from '../../ui/forms/text-fields.tsx'
import { useForm } from '../../ui/forms/use-form.ts'
import { useAcknowledge } from './api.ts'
import css from './closed-periods.module.css'

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
    <form
      noValidate
      className={css.form}
      onSubmit={(event) => {
        event.preventDefault()
        if (!form.validate()) return
        acknowledge.mutate(
          { changes, reason: String(form.values['reason'] ?? '').trim() },
          {
            onSuccess: () => form.setValues({ reason: '' }),
            onError: (error) => form.showErrors(fieldErrorsOf(error)),
          },
        )
      }}
    >
      <MutationError of={acknowledge} />
      <TextField
        field={form.bind('reason')}
        label="Reason"
        help="Why the changes are right, such as who agreed to them. It is kept with your name."
        isRequired
      />
      <div className={css.actions}>
        <Button type="submit" variant="default" loading={acknowledge.isPending}>
          Acknowledge {what}
        </Button>
      </div>
    </form>
  )
}
