import type { QueryColumn, QueryOutcome } from '@tributary/contract/queries'
import { useMemo } from 'react'
import { formatCsv } from '../../ui/files/csv.ts'
import { downloadFile } from '../../ui/files/download.ts'
import { type VirtualColumn, VirtualTable } from '../../ui/tables/virtual-table.tsx'

type ResultRow = QueryOutcome['Rows'][number]

/** Values as the database writes them. Only the rows in the visible range are rendered. */
export function QueryResultTable({ outcome }: { outcome: QueryOutcome }) {
  const { Columns, Rows } = outcome
  const columns = useMemo(() => toTableColumns(outcome), [outcome])
  if (Columns.length === 0) return <p className="muted">The result has no columns.</p>
  return (
    <VirtualTable
      caption="Rows of the result"
      columns={columns}
      count={Rows.length}
      rowAt={(index) => Rows[index]}
      exporting={{ start: () => downloadFile('query.csv', toCsv(outcome)) }}
    />
  )
}

function toCsv({ Columns, Rows }: QueryOutcome): string {
  return formatCsv([
    Columns.map(({ Name }) => Name),
    ...Rows.map((row) =>
      row.map((value, at) => (value !== null && Columns[at]?.Kind === 'number' ? { figure: value } : (value ?? ''))),
    ),
  ])
}

function toTableColumns({ Columns, Rows }: QueryOutcome): VirtualColumn<ResultRow>[] {
  const titles = distinctTitles(Columns)
  return Columns.map(({ Kind }, at) => ({
    title: titles[at] ?? '',
    widthPx: widthOf(titles[at] ?? '', Rows, at),
    isNumber: Kind === 'number',
    text: (row) => row[at] ?? 'NULL',
  }))
}

/** A query may name two columns alike. */
function distinctTitles(columns: readonly QueryColumn[]): string[] {
  const seen = new Map<string, number>()
  return columns.map(({ Name }) => {
    const count = (seen.get(Name) ?? 0) + 1
    seen.set(Name, count)
    return count === 1 ? Name : `${Name} (${count})`
  })
}

/** By the first rows, in a proportional font. */
function widthOf(title: string, rows: readonly ResultRow[], at: number): number {
  const longest = Math.max(title.length, ...rows.slice(0, 100).map((row) => (row[at] ?? 'NULL').length))
  return Math.min(360, Math.max(96, longest * 8 + 32))
}
