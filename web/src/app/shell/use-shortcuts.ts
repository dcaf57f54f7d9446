/**
 * The keyboard shortcuts of the portal. Single keys work only if the person has not switched them off, and never while
 * they type or a dialog or menu is open (WCAG 2.1.4).
 */
import { useEffect, useEffectEvent, useRef } from 'react'
import { useNavigate } from 'react-router'
import { useWorkspace } from '../../api/session/workspace.ts'
import { listGoKeys } from '../palette/page-items.ts'

interface Shortcuts {
  readonly areSingleKeysOn: boolean
  readonly openPalette: () => void
  /** A press of Ctrl or ⌘ may be the beginning of the palette's shortcut. */
  readonly prefetchPalette: () => void
  readonly showKeys: () => void
}

/** The time between `g` and the letter of a page. */
const sequenceMs = 1_500

export function useShortcuts({ areSingleKeysOn, openPalette, prefetchPalette, showKeys }: Shortcuts): void {
  const navigate = useNavigate()
  const { roleLevel } = useWorkspace().identity
  const goPressedAt = useRef(Number.NEGATIVE_INFINITY)

  const handleSingleKey = useEffectEvent(({ key, timeStamp }: KeyboardEvent): boolean => {
    const isAfterGo = timeStamp - goPressedAt.current < sequenceMs
    goPressedAt.current = key === 'g' && !isAfterGo ? timeStamp : Number.NEGATIVE_INFINITY
    const page = isAfterGo ? listGoKeys(roleLevel).find((one) => one.key === key.toLowerCase()) : undefined
    if (page !== undefined) void navigate(page.to)
    else if (key === '/') focusSearch(openPalette)
    else if (key === '?') showKeys()
    else return key === 'g'
    return true
  })

  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Control' || event.key === 'Meta') prefetchPalette()
    if (isPaletteKey(event)) {
      event.preventDefault()
      if (!isOverlayOpen()) openPalette()
      return
    }
    if (!areSingleKeysOn || !isSingleKey(event) || isOverlayOpen() || isTyping(event.target)) return
    if (!handleSingleKey(event)) return
    event.preventDefault()
    // A table has keys for its rows.
    event.stopPropagation()
  })

  useEffect(() => {
    const listener = (event: KeyboardEvent) => handleKey(event)
    // Before the keys of a focused table, so that `g` and a letter are not one of them.
    window.addEventListener('keydown', listener, { capture: true })
    return () => window.removeEventListener('keydown', listener, { capture: true })
  }, [])
}

function isPaletteKey({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean {
  return key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey
}

function isSingleKey({ ctrlKey, metaKey, altKey, isComposing, repeat }: KeyboardEvent): boolean {
  return !ctrlKey && !metaKey && !altKey && !isComposing && !repeat
}

function isOverlayOpen(): boolean {
  return document.querySelector('[role="dialog"], [role="alertdialog"], [role="menu"]') !== null
}

/** Lists and selects find their options by letters, so they count, too. */
function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false
  return (
    target.isContentEditable ||
    target.matches(
      'input:not([type="checkbox"], [type="radio"]), textarea, select, [role="combobox"], [role="listbox"] *',
    )
  )
}

/** The search of the page; on a page without one, the palette. */
function focusSearch(openPalette: () => void): void {
  const [search] = document.querySelectorAll<HTMLInputElement>('header input[type="search"], main input[type="search"]')
  if (search === undefined) return openPalette()
  search.focus()
  search.select()
}
