import { messageOf } from '@tributary/client/call-error'
import type { ReactNode } from 'react'
import { usePreferences, useSavePreferences } from '../../api/preferences.ts'
import { showToast } from '../../ui/feedback/toasts.tsx'
import { type TableView, TableViewContext } from '../../ui/tables/table-view.ts'

/** Gives every table the density and the columns that the person has chosen. */
export function TablePreferences({ children }: { children: ReactNode }) {
  const { Density, Tables } = usePreferences()
  const { save } = useSavePreferences()
  const view: TableView = {
    density: Density,
    setDensity: (density) => save({ density }, showFailure),
    columns: Tables,
    setColumns: (table, titles) => save({ tables: { [table]: titles === null ? null : [...titles] } }, showFailure),
  }
  return <TableViewContext value={view}>{children}</TableViewContext>
}

/** In a toast, because the table that changes back has no place for an error. */
function showFailure(error: Error): void {
  showToast(messageOf(error))
}
