import { Button } from '@mantine/core'
import { type ReactNode, useId, useRef } from 'react'
import type { UseMutationResult } from '@tanstack/react-query'
import { DescriptionProblems, DescriptionText } from '../../domain/descriptions/description-editor.tsx'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import { formatList } from '../../ui/formats.ts'
import { Panel } from '../../ui/layout/panel.tsx'
import type { CheckedText } from './api.ts'
import css from './workbench.module.css'

interface DescriptionPanelProps {
  readonly text: string
  readonly onChange: (text: string) => void
  readonly notes: readonly string[]
  readonly check: UseMutationResult<CheckedText, Error, string>
  /** Save, download and delete. */
  readonly buttons: ReactNode
}

export function DescriptionPanel({ text, onChange, notes, check, buttons }: DescriptionPanelProps) {
  const input = useRef<HTMLTextAreaElement>(null)
  const name = useId()
  return (
    <Panel title="Description">
      <DraftNotes text={text} notes={notes} />
      <DescriptionText
        input={input}
        rows={22}
        label="Text"
        help="YAML. The guide “Describe a source” explains each line."
        field={{ name, value: text, onChange, error: null, onBlur: () => undefined }}
      />
      <div className={css.actions}>
        <Button
          variant="default"
          disabled={text.trim() === ''}
          loading={check.isPending}
          onClick={() => check.mutate(text)}
        >
          Check
        </Button>
        {buttons}
      </div>
      <MutationError of={check} />
      <div aria-live="polite">
        {check.data === undefined ? null : <CheckResult checked={check.data} text={text} input={input} />}
      </div>
    </Panel>
  )
}

/** What was guessed is marked in the text, so that it survives a reload; the notes of the drafting do not. */
function DraftNotes({ text, notes }: { readonly text: string; readonly notes: readonly string[] }) {
  const guesses = text.split('\n').filter((line) => line.trimStart().startsWith('# check:')).length
  if (notes.length === 0 && guesses === 0) return null
  return (
    <Callout tone="info" title="Look at these before you rely on the draft">
      <ul className={css.notes}>
        {guesses === 0 ? null : (
          <li>
            {guesses === 1 ? '1 line has a comment' : `${guesses} lines have a comment`} <code># check:</code>. Read it,
            correct the line below, and delete the comment.
          </li>
        )}
        {notes.map((note) => (
          <li key={note}>{note}</li>
        ))}
      </ul>
    </Callout>
  )
}

interface CheckResultProps {
  readonly checked: CheckedText
  readonly text: string
  readonly input: React.RefObject<HTMLTextAreaElement | null>
}

function CheckResult({ checked, text, input }: CheckResultProps) {
  const { Problems, Hosts, Streams } = checked.found
  if (checked.text !== text)
    return <Callout tone="warn">The text has changed since it was checked. Check it again to try and prove it.</Callout>
  if (Problems.length > 0) return <DescriptionProblems problems={Problems} input={input} />
  return (
    <Callout tone="ok" title="The description fits.">
      <p>
        {`It calls ${formatList(Hosts)}, and reads ${Streams.length === 0 ? 'the sets of its metadata' : formatList(Streams)}.`}
      </p>
    </Callout>
  )
}
