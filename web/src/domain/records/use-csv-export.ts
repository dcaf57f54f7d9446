import { useWorkspace } from '../../api/session/workspace.ts'
import { formatCsv } from '../../ui/files/csv.ts'
import { downloadFile } from '../../ui/files/download.ts'

type TextRows = readonly (readonly string[])[]

/** Returns a function that downloads rows in a file named after the organisation, the list and the day. */
export function useCsvExport(): (listName: string, rows: TextRows) => void {
  const { Key } = useWorkspace().organisation
  return (listName, rows) => {
    const today = new Date().toISOString().slice(0, 10)
    downloadFile(`${Key}-${listName.toLowerCase().replaceAll(' ', '-')}-${today}.csv`, formatCsv(rows))
  }
}
