/**
 * Toasts, in a polite live region: for what the page itself does not show, and never required to continue. One is shown
 * at a time, for a while, in the free part of the header, where it covers no control.
 */
import { IconX } from '@tabler/icons-react/visitor-icons'
import { useEffect, useState, useSyncExternalStore } from 'react'
import css from './toasts.module.css'

const shownMs = 8_000
type ToastMessage = { id: number; text: string; isShown: boolean; action?: ToastAction }

/** A button in the toast, such as 'Undo'. */
export interface ToastAction {
  readonly label: string
  readonly act: () => void
}

let messages: readonly ToastMessage[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** Announces a text to screen readers without showing it. */
export function announceToScreenReader(text: string): void {
  add({ id: ++lastId, text, isShown: false })
}

/**
 * Shows and announces a text, for a result that the page itself does not show; replaces the toast that is shown. If the
 * page shows the result, use `announceToScreenReader`.
 */
export function showToast(text: string, action?: ToastAction): void {
  change(messages.filter(({ isShown }) => !isShown))
  add({ id: ++lastId, text, isShown: true, ...(action && { action }) })
}

export function ToastRegion() {
  const current = useSyncExternalStore(subscribe, () => messages)
  // Clears the messages on sign-out, so that the next user does not see them.
  useEffect(() => () => change([]), [])
  return (
    <div aria-live="polite" className={css.stack}>
      {current.map((message) => (
        <Toast key={message.id} message={message} />
      ))}
    </div>
  )
}

function Toast({ message }: { message: ToastMessage }) {
  const { id, text, action } = message
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => remove(id), shownMs)
    return () => clearTimeout(timer)
  }, [id, isHeld])
  if (!message.isShown) return <span className="visually-hidden">{text}</span>
  return (
    // Stays open while it has the pointer or the focus.
    <div
      className={css.toast}
      data-toast
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span className={css.text}>{text}</span>
      {action === undefined ? null : (
        <button
          type="button"
          className={css.action}
          onClick={() => {
            remove(id)
            action.act()
          }}
        >
          {action.label}
        </button>
      )}
      <button type="button" className={css.close} aria-label="Dismiss message" onClick={() => remove(id)}>
        <IconX />
      </button>
    </div>
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function add(message: ToastMessage): void {
  change([...messages, message])
}

function remove(id: number): void {
  change(messages.filter((message) => message.id !== id))
}

function change(next: readonly ToastMessage[]): void {
  messages = next
  for (const listener of listeners) listener()
}
