import type { ConnectorInput } from '@tributary/contract/connector-input'
import type { FormState } from '../../../ui/forms/use-form.ts'
import { RadioGroup } from '../../../ui/forms/radio-group.tsx'
import { CollapsibleSection } from '../../../ui/layout/collapsible-section.tsx'

type SchemaChangePolicy = NonNullable<ConnectorInput['schemaPolicy']>

const policyChoices: readonly { readonly value: SchemaChangePolicy; readonly label: string; readonly help: string }[] =
  [
    {
      value: 'take',
      label: 'Apply them',
      help: 'New tables, new columns and wider types are applied in the next run.',
    },
    { value: 'ask', label: 'Ask first', help: 'The affected tables wait for your decision; all others continue.' },
    { value: 'stop', label: 'Stop the run', help: 'Nothing is moved until a person has decided.' },
  ]

/** What to do when the schema of the source changes. No policy drops a column or narrows a type. */
export function SchemaChangePolicyFields({ form }: { form: FormState }) {
  const { value, onChange } = form.bind('schemaPolicy')
  const chosen = policyChoices.find((choice) => choice.value === value) ?? { value: 'take' as const, label: '' }
  return (
    <CollapsibleSection title="Schema changes" summary={chosen.label}>
      <RadioGroup
        label="When tables or columns change"
        choices={policyChoices}
        value={chosen.value}
        onChange={onChange}
      />
      <p className="small muted">With every choice, no column is ever dropped and no type is narrowed.</p>
    </CollapsibleSection>
  )
}
