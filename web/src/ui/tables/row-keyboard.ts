/** Moving through a table by keyboard: arrows go from row to row at the same control, letters act on the row that has the focus. */
import type { KeyboardEvent } from 'react'

const controls = 'button:not(:disabled), a[href], input:not(:disabled)'

/** @param acts by the key, lowercase; called with the position of the row among the table's rows. */
export function rowKeys(acts: Readonly<Record<string, (row: number) => void>> = {}) {
  return (event: KeyboardEvent<HTMLElement>): void => {
    const { target, key } = event
    if (event.ctrlKey || event.metaKey || event.altKey || !(target instanceof HTMLElement) || isWrittenInto(target))
      return
    const row = target.closest('tr')
    const rows = [...(row?.parentElement?.children ?? [])].filter(isNamedRow)
    const at = rows.findIndex((each) => each === row)
    const act = at === -1 ? undefined : (acts[key.toLowerCase()] ?? moveTo(target, rows, { at, key }))
    if (act === undefined) return
    event.preventDefault()
    act(at)
  }
}

/** Not the one below it that shows details. */
function isNamedRow(row: Element): boolean {
  return row.firstElementChild?.tagName === 'TH' && row.parentElement?.tagName === 'TBODY'
}

function moveTo(
  target: HTMLElement,
  rows: readonly Element[],
  { at, key }: { at: number; key: string },
): (() => void) | undefined {
  const next = rows[goal(key, at, rows.length)]
  if (next === undefined || next === rows[at]) return undefined
  const place = controlsIn(rows[at]).indexOf(target)
  const there = controlsIn(next)
  return () => (there[place] ?? there.at(-1))?.focus()
}

function controlsIn(row: Element | undefined): readonly HTMLElement[] {
  return [...(row?.querySelectorAll<HTMLElement>(controls) ?? [])]
}

function isWrittenInto(element: HTMLElement): boolean {
  if (element instanceof HTMLInputElement) return element.type !== 'checkbox' && element.type !== 'radio'
  return element.matches('textarea, select')
}

function goal(key: string, at: number, count: number): number {
  if (key === 'ArrowDown') return at + 1
  if (key === 'ArrowUp') return at - 1
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : -1
}
