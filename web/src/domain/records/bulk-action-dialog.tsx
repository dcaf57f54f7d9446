/**
 * Confirms an action on several records and lists them. Acts on one after the other; those that fail stay in the list with the reason,
 * and can be tried again.
 */
import type { ReactNode } from 'react'
import { useState } from 'react'
import { CallError, messageOf } from '@tributary/client/call-error'
import { CancelButton } from '../../ui/dialogs/dialog.tsx'
import { FormDialog } from '../../ui/dialogs/form-dialog.tsx'
import { useIsMounted } from '../../ui/hooks/use-is-mounted.ts'
import css from './bulk-action-dialog.module.css'

export interface BulkItem {
  readonly id: string
  readonly name: string
  readonly detail?: string
}

interface BulkActionDialogProps<Item extends BulkItem> {
  title: string
  submitLabel: string
  isDanger?: boolean
  isSubmitDisabled?: boolean
  items: readonly Item[]
  act: (item: Item) => Promise<unknown>
  /** Called after the last item, with those that succeeded. */
  onDone: (succeeded: readonly Item[]) => Promise<void>
  onClose: () => void
  /** Further fields, above the list. */
  children?: ReactNode
}

export function BulkActionDialog<Item extends BulkItem>(props: BulkActionDialogProps<Item>) {
  const { title, submitLabel, isDanger = false, isSubmitDisabled = false, children, onClose } = props
  const { remaining, done, failures, actOnAll } = useActingOnAll(props)
  const isActing = done !== null
  return (
    <FormDialog
      title={title}
      isBusy={isActing}
      isDanger={isDanger}
      isSubmitDisabled={isSubmitDisabled}
      isSubmitFocused={!isDanger}
      onClose={onClose}
      onSubmit={() => void actOnAll()}
      submitLabel={failures.size === 0 ? submitLabel : 'Try again'}
      otherButtons={
        <>
          <span className={css.progress} aria-live="polite">
            {isActing ? `${done} of ${remaining.length} done` : ''}
          </span>
          <CancelButton hasFocus={isDanger}>{failures.size === 0 ? 'Cancel' : 'Close'}</CancelButton>
        </>
      }
    >
      {children}
      <FailureCount failures={failures.size} />
      <ul className={css.items}>
        {remaining.map(({ id, name, detail }) => (
          <li key={id}>
            <span className={css.name}>{name}</span>
            {detail === undefined ? null : <span className={css.detail}>{detail}</span>}
            {failures.has(id) ? <span className={css.failure}>{failures.get(id)}</span> : null}
          </li>
        ))}
      </ul>
    </FormDialog>
  )
}

function FailureCount({ failures }: { failures: number }) {
  if (failures === 0) return null
  return (
    <p role="alert" className={css.failure}>
      {failures === 1 ? 'This one was not changed.' : `These ${failures} were not changed.`}
    </p>
  )
}

function useActingOnAll<Item extends BulkItem>({ items, act, onDone, onClose }: BulkActionDialogProps<Item>) {
  const [remaining, setRemaining] = useState(items)
  const [done, setDone] = useState<number | null>(null)
  const [failures, setFailures] = useState<ReadonlyMap<string, string>>(new Map())
  const isMounted = useIsMounted()

  async function actOnAll() {
    const failed = new Map<string, string>()
    setFailures(failed)
    setDone(0)
    for (const [index, item] of remaining.entries()) {
      const message = await withPatience(() => act(item)).then(() => null, messageOf)
      if (message !== null) failed.set(item.id, message)
      setDone(index + 1)
    }
    await onDone(remaining.filter(({ id }) => !failed.has(id)))
    if (!isMounted()) return
    if (failed.size === 0) {
      onClose()
      return
    }
    setRemaining(remaining.filter(({ id }) => failed.has(id)))
    setFailures(failed)
    setDone(null)
  }
  return { remaining, done, failures, actOnAll }
}

const longestWaitMs = 60_000

/** A long list may exceed the calls that a session may make in a minute. The server says when the next one is welcome. */
async function withPatience(call: () => Promise<unknown>): Promise<unknown> {
  try {
    return await call()
  } catch (error) {
    const waitMs = error instanceof CallError && error.statusCode === 429 ? error.retryAfterMs : null
    if (waitMs === null || waitMs > longestWaitMs) throw error
    await new Promise((resolve) => setTimeout(resolve, waitMs))
    return call()
  }
}
