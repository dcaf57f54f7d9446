/** The text of a description of a source, as YAML, and its problems at line and column. */
import { Textarea } from '@mantine/core'
import type { RefObject } from 'react'
import { commonFieldProps, type FieldProps } from '../../ui/forms/text-fields.tsx'
import { Callout } from '../../ui/feedback/callout.tsx'
import css from './description-editor.module.css'

interface DescriptionTextProps extends FieldProps {
  readonly input: RefObject<HTMLTextAreaElement | null>
  readonly rows?: number
}

export function DescriptionText({ input, rows = 16, ...field }: DescriptionTextProps) {
  return (
    <Textarea
      {...commonFieldProps(field)}
      ref={input}
      rows={rows}
      wrap="off"
      spellCheck={false}
      classNames={{ input: css.text }}
    />
  )
}

interface DescriptionProblem {
  readonly Line: number
  readonly Column: number
  readonly Message: string
}

interface DescriptionProblemsProps {
  readonly problems: readonly DescriptionProblem[]
  /** The editor with the text. */
  readonly input: RefObject<HTMLTextAreaElement | null>
}

/** Each problem leads to its position in the text. */
export function DescriptionProblems({ problems, input }: DescriptionProblemsProps) {
  return (
    <Callout tone="error" title={problems.length === 1 ? '1 problem' : `${problems.length} problems`}>
      <ul className={css.problems}>
        {problems.map(({ Line, Column, Message }, index) => (
          <li key={`${Line} ${Column} ${index}`}>
            <button type="button" className={css.place} onClick={() => showPosition(input.current, Line, Column)}>
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
