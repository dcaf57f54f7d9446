/** Keeps the arrangement of columns in the browser, for each person and table. */
import type { DataColumn } from '@tributary/contract/data'
import { useMemo, useState } from 'react'
import { readJson, writeJson } from '../../../api/local-storage.ts'
import { useWorkspace } from '../../../api/session/workspace.ts'
import type { TableLocation } from '../api.ts'
import { arrangeColumns, type GridColumn, limitWidth, type StoredLayout, toggleName } from './grid-layout.ts'

export interface GridLayout {
  /** All columns of the table. */
  readonly columns: readonly DataColumn[]
  readonly visible: readonly GridColumn[]
  readonly isDefault: boolean
  isHidden(name: string): boolean
  isPinned(name: string): boolean
  widthOf(name: string): number | undefined
  toggleHidden(name: string): void
  togglePinned(name: string): void
  /** Null: the default width. */
  setWidth(name: string, widthPx: number | null): void
  reset(): void
}

/** Arrangements that the browser keeps; the least recently changed ones go first. */
const keptMax = 100

type StoredLayouts = Readonly<Record<string, StoredLayout>>

export function useGridLayout({ clientId, schema, table }: TableLocation, columns: readonly DataColumn[]): GridLayout {
  const { email } = useWorkspace().identity
  const key = JSON.stringify([email, clientId, schema, table])
  const [layout, setLayout] = useState<StoredLayout>(() => readLayouts()[key] ?? {})
  const visible = useMemo(() => arrangeColumns(columns, layout), [columns, layout])
  const { hidden = [], pinned = [], widths = {} } = layout

  function store(next: StoredLayout) {
    setLayout(next)
    const { [key]: _, ...others } = readLayouts()
    const kept = Object.entries({ ...others, [key]: next }).slice(-keptMax)
    try {
      writeJson('dataGrids', Object.fromEntries(kept))
    } catch {
      // The storage is full or switched off: the arrangement counts until the page is left.
    }
  }
  return {
    columns,
    visible,
    isDefault: hidden.length + pinned.length + Object.keys(widths).length === 0,
    isHidden: (name) => hidden.includes(name),
    isPinned: (name) => pinned.includes(name),
    widthOf: (name) => visible.find(({ column }) => column.Name === name)?.widthPx,
    // One column stays visible.
    toggleHidden: (name) =>
      (hidden.includes(name) || visible.length > 1) && store({ ...layout, hidden: toggleName(hidden, name) }),
    togglePinned: (name) => store({ ...layout, pinned: toggleName(pinned, name) }),
    setWidth(name, widthPx) {
      const { [name]: _, ...others } = widths
      store({ ...layout, widths: widthPx === null ? others : { ...others, [name]: limitWidth(widthPx) } })
    },
    reset: () => store({}),
  }
}

function readLayouts(): StoredLayouts {
  return readJson<StoredLayouts>('dataGrids') ?? {}
}
