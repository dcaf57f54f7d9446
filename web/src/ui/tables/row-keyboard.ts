/**
 * Keyboard navigation in a table: arrow keys move the focus to the same control of another row, letters act on the
 * focused row.
 */
import type { KeyboardEvent } from 'react'

const controls = 'button:not(:disabled), a[href], input:not(:disabled)'

/**
 * Creates a keydown handler for the element around the table.
 * @param shortcuts by lowercase key; called with the index of the focused row.
 */
export function handleRowKeys(shortcuts: Readonly<Record<string, (row: number) => void>> = {}) {
  return (event: KeyboardEvent<HTMLElement>): void => {
    const { target, key } = event
    if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLElement) || isTextInput(target))
      return
    const row = target.closest('tr')
    const shortcut = row?.dataset['row'] === undefined ? undefined : shortcuts[key.toLowerCase()]
    const act = shortcut ?? (row === null ? undefined : moveFocus(target, row, key))
    if (act === undefined) return
    event.preventDefault()
    act(Number(row?.dataset['row']))
  }
}

/** False for a detail row, which follows the row that it belongs to, and for the header. */
function hasRowHeader(row: Element): boolean {
  return row.parentElement?.tagName === 'TBODY' && row.querySelector(':scope > th') !== null
}

function moveFocus(target: HTMLElement, row: Element, key: string): (() => void) | undefined {
  const rows = [...(row.parentElement?.children ?? [])].filter(hasRowHeader)
  const index = rows.indexOf(row)
  if (index === -1) return undefined
  const next = rows[nextRow(key, index, rows.length)]
  if (next === undefined || next === row) return undefined
  const position = controlsIn(row).indexOf(target)
  const nextControls = controlsIn(next)
  return () => (nextControls[position] ?? nextControls.at(-1))?.focus()
}

function controlsIn(row: Element | undefined): readonly HTMLElement[] {
  return [...(row?.querySelectorAll<HTMLElement>(controls) ?? [])]
}

function isTextInput(element: HTMLElement): boolean {
  if (element instanceof HTMLInputElement) return element.type !== 'checkbox' && element.type !== 'radio'
  return element.matches('textarea, select')
}

/** -1 for a key that does not navigate. */
function nextRow(key: string, index: number, count: number): number {
  if (key === 'ArrowDown') return index + 1
  if (key === 'ArrowUp') return index - 1
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : -1
}
