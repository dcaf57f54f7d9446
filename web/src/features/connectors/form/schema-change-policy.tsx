import type { ConnectorInput } from '@tributary/contract/connector-input'
import type { Form } from '../../../ui/forms/form.ts'
import { RadioChoice } from '../../../ui/forms/radio-group.tsx'
import { Fold } from '../../../ui/layout/collapsible-section.tsx'

type Policy = NonNullable<ConnectorInput['schemaPolicy']>

const choices: readonly { readonly value: Policy; readonly label: string; readonly help: string }[] = [
  {
    value: 'take',
    label: 'Take them over',
    help: 'New tables, new columns and wider types come along with the next run.',
  },
  { value: 'ask', label: 'Ask first', help: 'The tables concerned wait until somebody has decided; all others go on.' },
  { value: 'stop', label: 'Stop the run', help: 'Nothing is moved until somebody has looked at it.' },
]

/** What to do when the source's tables change. Nothing is ever dropped or narrowed, whatever is chosen. */
export function PolicyFields({ form }: { form: Form }) {
  const { value, onChange } = form.text('schemaPolicy')
  const chosen = choices.find((choice) => choice.value === value) ?? { value: 'take' as const, label: '' }
  return (
    <Fold title="Changes of the source" summary={chosen.label}>
      <RadioChoice label="When tables or columns change" choices={choices} value={chosen.value} onChange={onChange} />
      <p className="small muted">Whatever is chosen: no column is ever dropped, and no type is made narrower.</p>
    </Fold>
  )
}
