/**
 * Columns that the load adds to the table: the suggested type, cells that do not fit it, and a choice of other types.
 */
import { fits } from '@tributary/contract/column-kinds'
import { type ColumnType, columnTypes } from '@tributary/contract/column-types'
import type { LoadTargetTable } from '@tributary/contract/loads'
import type { LoadKind } from '@tributary/contract/load-columns'
import { newColumns } from '@tributary/contract/sheet-headings'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { CallReply } from '@tributary/contract/calls'
import { useOrganisationId } from '../../api/session/workspace.ts'
import { type TableColumn, DataTable } from '../../ui/tables/data-table.tsx'
import type { FormState } from '../../ui/forms/use-form.ts'
import { QueryResult } from '../../domain/requests/query-result.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { fileColumns } from './api.ts'
import { columnTypeField } from './load-options.ts'
import type { SheetView } from './sheet.ts'
import { summariseKinds, typeLabels } from './load-wording.ts'

interface NewColumnsPanelProps {
  form: FormState
  fileId: string
  view: SheetView
  table: LoadTargetTable
}

export function NewColumnsPanel({ form, fileId, view, table }: NewColumnsPanelProps) {
  const orgId = useOrganisationId()
  const positions = newColumns(view.headings, table)
  const sheet = { fileId, sheet: String(form.values['sheet']), firstRow: Number(form.values['headingRow']) }
  const columns = useQuery({ ...fileColumns(orgId, sheet), enabled: positions.length > 0 })
  if (positions.length === 0) return null
  return (
    <Panel title="New columns">
      <p className="small subtle">{`${table.Name} gets these columns with this load. Later loads must match their types.`}</p>
      <QueryResult query={columns}>
        {(known) => (
          <NewColumnTable form={form} columns={positions.map((at) => toNewColumn(at, view.headings, known))} />
        )}
      </QueryResult>
    </Panel>
  )
}

function toNewColumn(
  at: number,
  headings: readonly string[],
  known: CallReply<'GET /loads/files/:fileId/columns'>,
): NewSheetColumn {
  return { at, heading: headings[at] ?? '', type: known[at]?.Type ?? null, kinds: known[at]?.Kinds ?? [] }
}

function NewColumnTable({ form, columns }: { form: FormState; columns: readonly NewSheetColumn[] }) {
  const shown: readonly TableColumn<NewSheetColumn>[] = [
    { title: 'Column', cell: ({ heading }) => heading },
    { title: 'Type', cell: (column) => renderTypeSelect(form, column) },
    { title: 'Cells', cell: (column) => describeCells(column, chosenType(form, column)) },
  ]
  return <DataTable caption="New columns" columns={shown} rows={columns} rowKey={({ at }) => String(at)} />
}

interface NewSheetColumn {
  /** Position in the sheet, from 0, because headings may be repeated. */
  readonly at: number
  readonly heading: string
  /** Null if all cells are empty. */
  readonly type: ColumnType | null
  readonly kinds: readonly LoadKind[]
}

function chosenType(form: FormState, { heading, type }: NewSheetColumn): ColumnType | null {
  const chosen = form.values[columnTypeField(heading)]
  return columnTypes.find((each) => each === chosen) ?? type
}

function renderTypeSelect(form: FormState, column: NewSheetColumn): ReactNode {
  const { name, onChange } = form.bind(columnTypeField(column.heading))
  if (column.type === null) return 'Empty: left out until a cell is filled'
  return (
    <NativeSelect
      name={name}
      aria-label={`Type of ${column.heading}`}
      value={chosenType(form, column) ?? ''}
      data={columnTypes.map((type) => ({ value: type, label: typeLabels[type] }))}
      onChange={(event) => onChange(event.currentTarget.value === column.type ? '' : event.currentTarget.value)}
    />
  )
}

/** The kinds of cells, and the first cell that does not fit the type. */
function describeCells({ kinds }: NewSheetColumn, type: ColumnType | null): ReactNode {
  const [wrong] = type === null ? [] : kinds.filter(({ Kind }) => !fits(Kind, type))
  return (
    <div>
      {summariseKinds(kinds)}
      {wrong === undefined ? null : (
        <div className="small">{`${wrong.FirstCell} does not fit: ${wrong.FirstValue}. Correct it, or choose another type.`}</div>
      )}
    </div>
  )
}
