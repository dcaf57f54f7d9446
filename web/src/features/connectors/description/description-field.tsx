/** The description of a source, as YAML, with its problems at line and column. */
import type { CheckedDescription } from '@tributary/contract/source-descriptions'
import { Button, Textarea } from '@mantine/core'
import { useRef } from 'react'
import { call } from '../../../api/call.ts'
import { useOrganisationId } from '../../../api/session/workspace.ts'
import { useMutation } from '../../../api/use-mutation.ts'
import { MutationError } from '../../../domain/requests/mutation-error.tsx'
import { Callout } from '../../../ui/feedback/callout.tsx'
import { commonFieldProps, type FieldProps } from '../../../ui/forms/text-fields.tsx'
import { CollapsibleSection } from '../../../ui/layout/collapsible-section.tsx'
import css from './description.module.css'
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
      <Textarea
        {...commonFieldProps({ ...props, field: { ...field, onChange: change } })}
        ref={input}
        rows={16}
        wrap="off"
        spellCheck={false}
        classNames={{ input: css.text }}
      />
      <div>
        <Button variant="default" loading={check.isPending} onClick={() => check.mutate(field.value)}>
          Check the description
        </Button>
      </div>
      <MutationError of={check} />
      <div aria-live="polite">
        {check.data === undefined ? null : (
          <CheckedText result={check.data} onShow={(line, column) => showPosition(input.current, line, column)} />
        )}
      </div>
    </>
  )
}

interface CheckedTextProps {
  readonly result: CheckedDescription
  readonly onShow: (line: number, column: number) => void
}

function CheckedText({ result: { Problems, Hosts, Tables }, onShow }: CheckedTextProps) {
  if (Problems.length === 0)
    return (
      <Callout tone="ok" title="The description fits.">
        <p>{`It calls ${Hosts.join(' and ')}, and reads ${Tables.join(', ')}.`}</p>
      </Callout>
    )
  return (
    <Callout tone="error" title={Problems.length === 1 ? '1 problem' : `${Problems.length} problems`}>
      <ul className={css.problems}>
        {Problems.map(({ Line, Column, Message }, index) => (
          <li key={`${Line} ${Column} ${index}`}>
            <button type="button" className={css.place} onClick={() => onShow(Line, Column)}>
              Line {Line}, column {Column}
            </button>{' '}
            {Message}
          </li>
        ))}
      </ul>
    </Callout>
  )
}

/** Puts the caret where the problem is, and scrolls there. */
function showPosition(input: HTMLTextAreaElement | null, line: number, column: number): void {
  if (input === null) return
  const before = input.value.split('\n').slice(0, line - 1)
  const at = before.reduce((sum, text) => sum + text.length + 1, column - 1)
  input.focus()
  input.setSelectionRange(at, at)
  input.scrollTop = (input.scrollHeight / input.value.split('\n').length) * Math.max(0, line - 4)
}
