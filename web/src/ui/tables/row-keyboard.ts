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
    const rows = [...(row?.parentElement?.children ?? [])].filter(isDataRow)
    const index = rows.findIndex((each) => each === row)
    const act = index === -1 ? undefined : (shortcuts[key.toLowerCase()] ?? moveFocus(target, rows, { index, key }))
    if (act === undefined) return
    event.preventDefault()
    act(index)
  }
}

/** False for a detail row, which follows the row that it belongs to. */
function isDataRow(row: Element): boolean {
  return row.firstElementChild?.tagName === 'TH' && row.parentElement?.tagName === 'TBODY'
}

function moveFocus(
  target: HTMLElement,
  rows: readonly Element[],
  { index, key }: { index: number; key: string },
): (() => void) | undefined {
  const next = rows[nextRow(key, index, rows.length)]
  if (next === undefined || next === rows[index]) return undefined
  const position = controlsIn(rows[index]).indexOf(target)
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
