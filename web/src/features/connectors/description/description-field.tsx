/** The description of a source that a customer writes, with its problems. */
import type { CheckedDescription } from '@tributary/contract/source-descriptions'
import { Button } from '@mantine/core'
import { useRef } from 'react'
import { call } from '../../../api/call.ts'
import { useOrganisationId } from '../../../api/session/workspace.ts'
import { useMutation } from '../../../api/use-mutation.ts'
import { DescriptionProblems, DescriptionText } from '../../../domain/descriptions/description-editor.tsx'
import { MutationError } from '../../../domain/requests/mutation-error.tsx'
import { Callout } from '../../../ui/feedback/callout.tsx'
import type { FieldProps } from '../../../ui/forms/text-fields.tsx'
import { CollapsibleSection } from '../../../ui/layout/collapsible-section.tsx'
import { DescriptionDraft } from './description-draft.tsx'

export function DescriptionField(props: FieldProps) {
  const { field } = props
  const params = { clientId: useOrganisationId() }
  const input = useRef<HTMLTextAreaElement>(null)
  const check = useMutation({
    mutationFn: (description: string) =>
      call('POST /tributary/clients/:clientId/connectors/check-description', { params, body: { description } }),
  })
  const change = (text: string) => {
    check.reset()
    field.onChange(text)
  }
  return (
    <>
      <CollapsibleSection title="Begin from a form" summary={field.value === '' ? 'Usual case' : 'Replaces the text'}>
        <DescriptionDraft
          onDraft={(text) => {
            change(text)
            input.current?.focus()
          }}
        />
      </CollapsibleSection>
      <DescriptionText {...props} field={{ ...field, onChange: change }} input={input} />
      <div>
        <Button variant="default" loading={check.isPending} onClick={() => check.mutate(field.value)}>
          Check the description
        </Button>
      </div>
      <MutationError of={check} />
      <div aria-live="polite">
        {check.data === undefined ? null : check.data.Problems.length === 0 ? (
          <FittingDescription result={check.data} />
        ) : (
          <DescriptionProblems problems={check.data.Problems} input={input} />
        )}
      </div>
    </>
  )
}

function FittingDescription({ result: { Hosts, Tables } }: { readonly result: CheckedDescription }) {
  return (
    <Callout tone="ok" title="The description fits.">
      <p>{`It calls ${Hosts.join(' and ')}, and reads ${Tables.join(', ')}.`}</p>
    </Callout>
  )
}
