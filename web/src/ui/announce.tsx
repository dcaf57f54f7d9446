/** Messages of success: said politely, shown for a while, never needed to go on. */
import { IconX } from '@tabler/icons-react'
import { useEffect, useSyncExternalStore } from 'react'
import css from './announce.module.css'

const shownMs = 8_000
type Notice = { id: number; text: string; isShown: boolean }

let notices: readonly Notice[] = []
let lastId = 0
const listeners = new Set<() => void>()

/** Says it to screen readers only. */
export function announce(text: string): void {
  add({ id: ++lastId, text, isShown: false })
}

/** Says it and shows it, for what the page itself does not show. */
export function tell(text: string): void {
  add({ id: ++lastId, text, isShown: true })
}

export function Announcements() {
  const current = useSyncExternalStore(subscribe, () => notices)
  return (
    <div aria-live="polite" className={css.stack}>
      {current.map((notice) => (
        <Toast key={notice.id} notice={notice} />
      ))}
    </div>
  )
}

function Toast({ notice }: { notice: Notice }) {
  useEffect(() => {
    const timer = setTimeout(() => remove(notice.id), shownMs)
    return () => clearTimeout(timer)
  }, [notice.id])
  if (!notice.isShown) return <span className="visually-hidden">{notice.text}</span>
  return (
    <div className={css.toast}>
      <span>{notice.text}</span>
      <button type="button" className={css.close} aria-label="Dismiss message" onClick={() => remove(notice.id)}>
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
