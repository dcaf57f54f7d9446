/**
 * Adds several records at once, one per line. Sends them one after the other; failed lines stay in the textarea
 * with the reason.
 */
import { Textarea } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { messageOf } from '@tributary/client/call-error'
import css from './bulk-add-dialog.module.css'
import type { BulkLine } from './bulk-add-lines.ts'
import { CancelButton } from '../../ui/dialogs/dialog.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { useIsMounted } from '../../ui/hooks/use-is-mounted.ts'

interface BulkAddDialogProps<Line extends BulkLine> {
  title: string
  subtitle?: string
  field: { readonly label: string; readonly help: string; readonly placeholder?: string }
  words: {
    readonly submit: string
    /** Follows the progress: '3 of 7 sent'. */
    readonly done: string
    readonly summary: (valid: number, invalid: number) => string
  }
  parse: (text: string) => readonly Line[]
  send: (line: Line) => Promise<unknown>
  /** Called after the last line, with the lines that succeeded. */
  onSent: (lines: readonly Line[]) => Promise<void>
  /** Called instead of `onClose` if no line failed. */
  onAllSent?: () => void
  onClose: () => void
  /** Renders a preview of the lines in the textarea. */
  renderPreview?: (lines: readonly Line[]) => ReactNode
  children?: ReactNode
}

export function BulkAddDialog<Line extends BulkLine>(props: BulkAddDialogProps<Line>) {
  const { title, subtitle, field, words, parse, renderPreview, onClose } = props
  const [text, setText] = useState('')
  const [isMissing, setMissing] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  const lines = parse(text)
  const { sendAll, done, failures } = useSending(props, (remaining) => {
    setText(remaining)
    box.current?.focus()
  })
  const isSending = done !== null

  function submit() {
    if (lines.length === 0) box.current?.focus()
    setMissing(lines.length === 0)
    if (lines.some(({ error }) => error === null) && !isSending) void sendAll(lines)
  }
  return (
    <FormDialog
      title={title}
      subtitle={subtitle}
      isDirty={text.trim() !== ''}
      isBusy={isSending}
      onClose={onClose}
      onSubmit={submit}
      submitLabel={words.submit}
      otherButtons={
        <>
          <span className={css.summary} aria-live="polite">
            {isSending ? `${done} of ${lines.length} ${words.done}` : summaryOf(lines, words.summary)}
          </span>
          <CancelButton />
        </>
      }
    >
      <Textarea
        ref={box}
        label={field.label}
        description={field.help}
        placeholder={field.placeholder}
        rows={6}
        value={text}
        readOnly={isSending}
        error={isMissing && lines.length === 0 ? 'required' : null}
        aria-required
        spellCheck={false}
        data-autofocus
        onKeyDown={submitOnControlEnter}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      <FailureList
        failures={isSending ? failures : [...currentFailures(failures, lines), ...lineErrors(lines, failures)]}
      />
      {renderPreview?.(lines)}
      {props.children}
    </FormDialog>
  )
}

interface BulkLineFailure {
  readonly line: string
  readonly message: string
}

function FailureList({ failures }: { failures: readonly BulkLineFailure[] }) {
  if (failures.length === 0) return null
  return (
    <ul className={css.failures} role="alert">
      {failures.map(({ line, message }) => (
        <li key={`${line} ${message}`}>{`${line}: ${message}`}</li>
      ))}
    </ul>
  )
}

function summaryOf(lines: readonly BulkLine[], words: (valid: number, invalid: number) => string): string {
  const invalid = lines.filter(({ error }) => error !== null).length
  return lines.length === 0 ? '' : words(lines.length - invalid, invalid)
}

/** Drops the failures of lines that the user has edited since. */
function currentFailures(failures: readonly BulkLineFailure[], lines: readonly BulkLine[]): readonly BulkLineFailure[] {
  return failures.filter((failure) => lines.some(({ line }) => line === failure.line))
}

/** Validation errors of the lines, except where the server has reported a failure. */
function lineErrors(lines: readonly BulkLine[], failures: readonly BulkLineFailure[]): readonly BulkLineFailure[] {
  const reported = new Set(failures.map(({ line }) => line))
  return lines.flatMap(({ line, error }) => (error === null || reported.has(line) ? [] : [{ line, message: error }]))
}

function useSending<Line extends BulkLine>(
  { send, onSent, onClose, onAllSent = onClose }: BulkAddDialogProps<Line>,
  onRemaining: (text: string) => void,
) {
  const [done, setDone] = useState<number | null>(null)
  const isMounted = useIsMounted()
  const [failures, setFailures] = useState<readonly BulkLineFailure[]>([])

  async function sendAll(lines: readonly Line[]) {
    const failed: BulkLineFailure[] = []
    const sent: Line[] = []
    setFailures([])
    setDone(0)
    for (const [index, each] of lines.entries()) {
      const message = each.error ?? (await send(each).then(() => null, messageOf))
      if (message === null) sent.push(each)
      else failed.push({ line: each.line, message })
      setDone(index + 1)
    }
    await onSent(sent)
    if (!isMounted()) return
    if (failed.length === 0) {
      onAllSent()
      return
    }
    setDone(null)
    setFailures(failed)
    onRemaining(failed.map(({ line }) => line).join('\n'))
  }
  return { sendAll, done, failures }
}

/** Enter alone starts a new line. */
function submitOnControlEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}
