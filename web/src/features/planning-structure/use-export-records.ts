import { useMutation } from '../../api/use-mutation.ts'
import { recordStatusBadge } from '../../domain/records/record-status.ts'
import { useCsvExport } from '../../domain/records/use-csv-export.ts'
import type { PlanningRecord, RecordListQuery, ListedRecordKind } from './record-kind.ts'

const exportPageSize = 1_000

/** Exports all pages of a list with its search and order. */
export function useExportRecords<Row extends PlanningRecord>(kind: ListedRecordKind<Row>, query: RecordListQuery) {
  const exportCsv = useCsvExport()
  return useMutation({
    mutationFn: async () => {
      const lines = [['Name', ...kind.exportColumns.map(({ title }) => title), 'Status']]
      for (let page = 1, total = 1; (page - 1) * exportPageSize < total; page += 1) {
        const found = await kind.list({ ...query, page, pageSize: exportPageSize }, {}, 'true')
        total = found.total
        for (const row of found.rows)
          lines.push([
            row.Name,
            ...kind.exportColumns.map(({ text }) => text(row)),
            recordStatusBadge(row.Status.Name).label,
          ])
      }
      exportCsv(kind.many, lines)
    },
  })
}
