/** Messages of success: said politely, shown for a while, never needed to go on. */
import { IconX } from '@tabler/icons-react'
import { useEffect, useState, useSyncExternalStore } from 'react'
import css from './toasts.module.css'

const shownMs = 8_000
type Notice = { id: number; text: string; isShown: boolean; action?: NoticeAction }

/** What can be done about it for as long as it is shown: 'Undo'. */
export interface NoticeAction {
  readonly label: string
  readonly act: () => void
}

let notices: readonly Notice[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** Says it to screen readers only. */
export function announce(text: string): void {
  add({ id: ++lastId, text, isShown: false })
}

/** Says it and shows it, for what the page itself does not show. */
export function tell(text: string, action?: NoticeAction): void {
  add({ id: ++lastId, text, isShown: true, ...(action && { action }) })
}

export function Announcements() {
  const current = useSyncExternalStore(subscribe, () => notices)
  // Whoever signs in next is not told what the last one did.
  useEffect(() => () => change([]), [])
  return (
    <div aria-live="polite" className={css.stack}>
      {current.map((notice) => (
        <Toast key={notice.id} notice={notice} />
      ))}
    </div>
  )
}

function Toast({ notice }: { notice: Notice }) {
  const { id, text, action } = notice
  const [isHeld, setHeld] = useState(false)
  useEffect(() => {
    if (isHeld) return
    const timer = setTimeout(() => remove(id), shownMs)
    return () => clearTimeout(timer)
  }, [id, isHeld])
  if (!notice.isShown) return <span className="visually-hidden">{text}</span>
  return (
    // Stays while somebody is at it, with the pointer or the keyboard.
    <div
      className={css.toast}
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <span>{text}</span>
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
        <IconX size={16} aria-hidden />
      </button>
    </div>
  )
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function add(notice: Notice): void {
  change([...notices, notice])
}

function remove(id: number): void {
  change(notices.filter((notice) => notice.id !== id))
}

function change(next: readonly Notice[]): void {
  notices = next
  for (const listener of listeners) listener()
}
