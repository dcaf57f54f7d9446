import { useMutation } from '../../api/use-mutation.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { formatCsv } from '../../ui/files/csv.ts'
import { downloadFile } from '../../ui/files/download.ts'
import { recordStatusBadge } from '../../domain/records/record-status.ts'
import type { PlanningRecord, RecordListQuery, ListedRecordKind } from './record-kind.ts'

const exportPageSize = 1_000

/** Exports all pages of a list with its search and order. */
export function useExportRecords<Row extends PlanningRecord>(kind: ListedRecordKind<Row>, query: RecordListQuery) {
  const { organisation } = useWorkspace()
  return useMutation({
    mutationFn: async () => {
      const list = kind.listWithLinks ?? kind.list
      const lines = [['Name', ...kind.exportColumns.map(({ title }) => title), 'Status']]
      for (let page = 1, total = 1; (page - 1) * exportPageSize < total; page += 1) {
        const found = await list({ ...query, page, pageSize: exportPageSize }, undefined)
        total = found.total
        for (const row of found.rows)
          lines.push([
            row.Name,
            ...kind.exportColumns.map(({ text }) => text(row)),
            recordStatusBadge(row.Status.Name).label,
          ])
      }
      const today = new Date().toISOString().slice(0, 10)
      downloadFile(`${organisation.Key}-${kind.many.replaceAll(' ', '-')}-${today}.csv`, formatCsv(lines))
    },
  })
}
