import { useMutation } from '../../api/use-mutation.ts'
import { useWorkspace } from '../../api/session/workspace.ts'
import { csv } from '../../ui/files/csv.ts'
import { saveFile } from '../../ui/files/download.ts'
import { statusLook } from '../../domain/records/record-status.ts'
import type { AnyRecord, ListAsk, ListedKind } from './record-kind.ts'

const chunkSize = 1_000

/** Everything that the list holds, all its pages, as it is searched and sorted. */
export function useExport<Row extends AnyRecord>(kind: ListedKind<Row>, ask: ListAsk) {
  const { organisation } = useWorkspace()
  return useMutation({
    mutationFn: async () => {
      const list = kind.listWhole ?? kind.list
      const lines = [['Name', ...kind.exported.map(({ title }) => title), 'Status']]
      for (let page = 1, total = 1; (page - 1) * chunkSize < total; page += 1) {
        const found = await list({ ...ask, page, pageSize: chunkSize }, undefined)
        total = found.total
        for (const row of found.rows)
          lines.push([row.Name, ...kind.exported.map(({ text }) => text(row)), statusLook(row.Status.Name).word])
      }
      const today = new Date().toISOString().slice(0, 10)
      saveFile(`${organisation.Key}-${kind.many.replaceAll(' ', '-')}-${today}.csv`, csv(lines))
    },
  })
}
