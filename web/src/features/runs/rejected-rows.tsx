import type { RejectedRow } from '@tributary/contract/runs'
import { Button } from '@mantine/core'
import { IconDownload } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useMutation } from '../../api/use-mutation.ts'
import { call } from '../../api/call.ts'
import type { RunParams } from '../../api/queries/runs.ts'
import { type TableColumn, DataTable } from '../../ui/tables/data-table.tsx'
import { downloadFile } from '../../ui/files/download.ts'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { rejectedRows } from './api.ts'
import { DrawerSection } from '../../ui/layout/drawer-section.tsx'
import { MutationError } from '../../domain/requests/mutation-error.tsx'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import css from './runs.module.css'
import { formatCount } from '../../ui/formats.ts'

interface RejectedRowsProps {
  ids: RunParams
  count: number
  isOpen: boolean
  onToggle: () => void
}

/** Rows that could not be written, with their reasons; fetched when expanded. */
export function RejectedRows({ ids, count, isOpen, onToggle }: RejectedRowsProps) {
  const download = useMutation({
    mutationFn: () =>
      call('GET /tributary/clients/:clientId/connectors/:connectorId/runs/:runId/rejected.csv', { params: ids }),
    onSuccess: (text) => downloadFile(`rejected-${ids.runId.slice(0, 8)}.csv`, text),
  })
  return (
    <DrawerSection
      id="run-rejected"
      title={count === 1 ? '1 rejected row' : `${formatCount(count)} rejected rows`}
      aside={
        <div className={css.partTools}>
          <Button variant="default" size="compact-sm" aria-expanded={isOpen} onClick={onToggle}>
            {isOpen ? 'Hide' : 'Show'}
          </Button>
          <Button
            variant="default"
            size="compact-sm"
            leftSection={<IconDownload size={14} />}
            loading={download.isPending}
            onClick={() => download.mutate()}
          >
            Download CSV
          </Button>
        </div>
      }
    >
      <MutationError of={download} />
      {isOpen ? <RejectedRowsTable ids={ids} count={count} /> : null}
    </DrawerSection>
  )
}

function RejectedRowsTable({ ids, count }: { ids: RunParams; count: number }) {
  return (
    <QueryResult query={useQuery(rejectedRows(ids))} loading={<SkeletonLines count={3} height={36} />}>
      {(rows) => (
        <>
          <DataTable
            caption="Rejected rows"
            columns={rejectedRowColumns}
            rows={rows.map((row, index) => ({ ...row, index }))}
            rowKey={({ index }) => String(index)}
          />
          {rows.length < count ? (
            <p className="small subtle">{`The first ${formatCount(rows.length)} of ${formatCount(count)} are kept.`}</p>
          ) : null}
        </>
      )}
    </QueryResult>
  )
}

const rejectedRowColumns: readonly TableColumn<RejectedRow>[] = [
  { title: 'Table', cell: ({ Table, Column: name }) => (name === null ? Table : `${Table}.${name}`) },
  { title: 'Reason', cell: ({ Reason }) => Reason },
  {
    title: 'Row',
    cell: ({ Row }) => <code className={css.row}>{Object.entries(Row).map(formatField).join(', ')}</code>,
  },
]

function formatField([name, value]: [string, string | null]): string {
  return `${name}: ${value ?? 'null'}`
}
