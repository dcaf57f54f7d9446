import type { RejectedRow } from '@tributary/contract/runs'
import { Button } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { messageOf } from '../../api/call-error.ts'
import { type Column, count as words, DataTable } from '../../ui/data-table.tsx'
import { LoadFailure } from '../../ui/empty-state.tsx'
import { SkeletonLines } from '../../ui/skeleton.tsx'
import { rejectedRows, type RunPlace } from './api.ts'
import css from './runs.module.css'

/** Rows that could not be placed, each with the reason; loaded when somebody asks. */
export function RejectedRows({ place, count }: { place: RunPlace & { runId: string }; count: number }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <section className={css.part} aria-labelledby="run-rejected">
      <div className={css.partHead}>
        <h3 id="run-rejected">{count === 1 ? '1 rejected row' : `${words(count)} rejected rows`}</h3>
        <Button variant="default" size="compact-sm" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          {isOpen ? 'Hide' : 'Show'}
        </Button>
      </div>
      {isOpen ? <RejectedTable place={place} /> : null}
    </section>
  )
}

function RejectedTable({ place }: { place: RunPlace & { runId: string } }) {
  const { data, error, refetch } = useQuery(rejectedRows(place))
  if (data === undefined) {
    return error === null ? (
      <SkeletonLines count={3} height={36} />
    ) : (
      <LoadFailure message={messageOf(error)} onRetry={() => void refetch()} />
    )
  }
  const rows = data.map((row, index) => ({ ...row, index }))
  return <DataTable caption="Rejected rows" columns={columns} rows={rows} rowKey={({ index }) => String(index)} />
}

const columns: readonly Column<RejectedRow>[] = [
  { title: 'Table', cell: ({ Table, Column: name }) => (name === null ? Table : `${Table}.${name}`) },
  { title: 'Reason', cell: ({ Reason }) => Reason },
  { title: 'Row', cell: ({ Row }) => <code className={css.row}>{Object.entries(Row).map(pair).join(', ')}</code> },
]

function pair([name, value]: [string, string | null]): string {
  return `${name}: ${value ?? 'null'}`
}
