/** Many at once: a line each, sent one after the other; what fails stays in the box, with the reason. */
import { Button, Textarea } from '@mantine/core'
import { type KeyboardEvent, type ReactNode, useRef, useState } from 'react'
import { messageOf } from '@tributary/client/call-error'
import css from './bulk-add-dialog.module.css'
import type { BulkLine } from './bulk-add-lines.ts'
import { CancelButton, Dialog } from '../../ui/dialogs/dialog.tsx'
import { useIsShown } from '../../ui/hooks/use-is-mounted.ts'

interface BulkDialogProps<Line extends BulkLine> {
  title: string
  subtitle?: string
  field: { readonly label: string; readonly help: string; readonly placeholder?: string }
  words: {
    readonly submit: string
    /** How many of the lines are done: '3 of 7 sent'. */
    readonly done: string
    readonly summary: (good: number, bad: number) => string
  }
  parse: (text: string) => readonly Line[]
  send: (line: Line) => Promise<unknown>
  /** When the last one is through; how many went well. */
  onSent: (lines: readonly Line[]) => Promise<void>
  /** When none of them failed, instead of `onClose`. */
  onAllSent?: () => void
  onClose: () => void
  /** Follows from what stands in the box. */
  renderPreview?: (lines: readonly Line[]) => ReactNode
  children?: ReactNode
}

export function BulkDialog<Line extends BulkLine>(props: BulkDialogProps<Line>) {
  const { title, subtitle, field, words, parse, renderPreview, onClose } = props
  const [text, setText] = useState('')
  const [isMissing, setMissing] = useState(false)
  const box = useRef<HTMLTextAreaElement>(null)
  const lines = parse(text)
  const { sendAll, done, failures } = useSending(props, (left) => {
    setText(left)
    box.current?.focus()
  })
  const isSending = done !== null

  function submit() {
    if (lines.length === 0) box.current?.focus()
    setMissing(lines.length === 0)
    if (lines.some(({ flaw }) => flaw === null) && !isSending) void sendAll(lines)
  }
  return (
    <Dialog
      kind="modal"
      title={title}
      {...(subtitle !== undefined && { subtitle })}
      isDirty={text.trim() !== ''}
      isBusy={isSending}
      onClose={onClose}
      onSubmit={submit}
      footer={
        <>
          <span className={css.summary} aria-live="polite">
            {isSending ? `${done} of ${lines.length} ${words.done}` : summaryOf(lines, words.summary)}
          </span>
          <CancelButton />
          <Button type="submit" loading={isSending}>
            {words.submit}
          </Button>
        </>
      }
    >
      <Textarea
        ref={box}
        label={field.label}
        description={field.help}
        {...(field.placeholder !== undefined && { placeholder: field.placeholder })}
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
      <FailureList failures={isSending ? failures : [...still(failures, lines), ...flaws(lines, failures)]} />
      {renderPreview?.(lines)}
      {props.children}
    </Dialog>
  )
}

interface Failure {
  readonly line: string
  readonly message: string
}

function FailureList({ failures }: { failures: readonly Failure[] }) {
  if (failures.length === 0) return null
  return (
    <ul className={css.failures} role="alert">
      {failures.map(({ line, message }) => (
        <li key={`${line} ${message}`}>{`${line}: ${message}`}</li>
      ))}
    </ul>
  )
}

function summaryOf(lines: readonly BulkLine[], words: (good: number, bad: number) => string): string {
  const bad = lines.filter(({ flaw }) => flaw !== null).length
  return lines.length === 0 ? '' : words(lines.length - bad, bad)
}

/** What was mended in the box is no failure any more. */
function still(failures: readonly Failure[], lines: readonly BulkLine[]): readonly Failure[] {
  return failures.filter((failure) => lines.some(({ line }) => line === failure.line))
}

/** What the server refused is told in its words; what is only badly written, in ours. */
function flaws(lines: readonly BulkLine[], failures: readonly Failure[]): readonly Failure[] {
  const told = new Set(failures.map(({ line }) => line))
  return lines.flatMap(({ line, flaw }) => (flaw === null || told.has(line) ? [] : [{ line, message: flaw }]))
}

function useSending<Line extends BulkLine>(
  { send, onSent, onClose, onAllSent = onClose }: BulkDialogProps<Line>,
  onLeft: (text: string) => void,
) {
  const [done, setDone] = useState<number | null>(null)
  const isShown = useIsShown()
  const [failures, setFailures] = useState<readonly Failure[]>([])

  async function sendAll(lines: readonly Line[]) {
    const failed: Failure[] = []
    const sent: Line[] = []
    setFailures([])
    setDone(0)
    for (const [index, each] of lines.entries()) {
      const message = each.flaw ?? (await send(each).then(() => null, messageOf))
      if (message === null) sent.push(each)
      else failed.push({ line: each.line, message })
      setDone(index + 1)
    }
    await onSent(sent)
    if (!isShown()) return
    if (failed.length === 0) {
      onAllSent()
      return
    }
    setDone(null)
    setFailures(failed)
    onLeft(failed.map(({ line }) => line).join('\n'))
  }
  return { sendAll, done, failures }
}

/** Enter alone begins another line. */
function submitOnControlEnter(event: KeyboardEvent<HTMLTextAreaElement>) {
  if (event.key !== 'Enter' || !(event.ctrlKey || event.metaKey)) return
  event.preventDefault()
  event.currentTarget.form?.requestSubmit()
}
