/** The columns that a table gets with this sheet: the type that their cells suggest, what does not fit it, and a way to choose another. */
import { fits } from '@tributary/contract/column-kinds'
import { type ColumnType, columnTypes } from '@tributary/contract/column-types'
import type { LoadTable } from '@tributary/contract/loads'
import type { LoadKind } from '@tributary/contract/load-columns'
import { newColumns } from '@tributary/contract/sheet-headings'
import { NativeSelect } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Reply } from '@tributary/contract/calls'
import { useWorkspace } from '../../api/session/workspace.ts'
import { type Column, DataTable } from '../../ui/tables/data-table.tsx'
import type { Form } from '../../ui/forms/form.ts'
import { Loaded } from '../../domain/requests/query-result.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import { fileColumnsOf } from './api.ts'
import { fieldOfType } from './load-options.ts'
import type { SheetView } from './sheet.ts'
import { kindsInWords, typeNames } from './load-wording.ts'

interface NewColumnsProps {
  form: Form
  fileId: string
  view: SheetView
  table: LoadTable
}

export function NewColumns({ form, fileId, view, table }: NewColumnsProps) {
  const orgId = useWorkspace().organisation.Id
  const places = newColumns(view.headings, table)
  const sheet = { fileId, sheet: String(form.values['sheet']), firstRow: Number(form.values['headingRow']) }
  const columns = useQuery({ ...fileColumnsOf(orgId, sheet), enabled: places.length > 0 })
  if (places.length === 0) return null
  return (
    <Panel title="New columns">
      <p className="small subtle">{`${table.Name} gets these columns with this load. Their types stay: later loads must fit them.`}</p>
      <Loaded query={columns}>
        {(known) => <ColumnTypes form={form} columns={places.map((at) => columnAt(at, view.headings, known))} />}
      </Loaded>
    </Panel>
  )
}

function columnAt(
  at: number,
  headings: readonly string[],
  known: Reply<'GET /loads/files/:fileId/columns'>,
): NewColumn {
  return { at, heading: headings[at] ?? '', type: known[at]?.Type ?? null, kinds: known[at]?.Kinds ?? [] }
}

function ColumnTypes({ form, columns }: { form: Form; columns: readonly NewColumn[] }) {
  const shown: readonly Column<NewColumn>[] = [
    { title: 'Column', cell: ({ heading }) => heading },
    { title: 'Type', cell: (column) => typeSelect(form, column) },
    { title: 'Cells', cell: (column) => cellsInWords(column, typeOf(form, column)) },
  ]
  return <DataTable caption="New columns" columns={shown} rows={columns} rowKey={({ at }) => String(at)} />
}

interface NewColumn {
  /** Its place in the sheet, from 0: headings may come twice. */
  readonly at: number
  readonly heading: string
  /** Null where no cell is filled. */
  readonly type: ColumnType | null
  readonly kinds: readonly LoadKind[]
}

function typeOf(form: Form, { heading, type }: NewColumn): ColumnType | null {
  const chosen = form.values[fieldOfType(heading)]
  return columnTypes.find((each) => each === chosen) ?? type
}

function typeSelect(form: Form, column: NewColumn): ReactNode {
  const { name, onChange } = form.text(fieldOfType(column.heading))
  if (column.type === null) return 'Empty: left out until a cell is filled'
  return (
    <NativeSelect
      name={name}
      aria-label={`Type of ${column.heading}`}
      value={typeOf(form, column) ?? ''}
      data={columnTypes.map((type) => ({ value: type, label: typeNames[type] }))}
      onChange={(event) => onChange(event.currentTarget.value === column.type ? '' : event.currentTarget.value)}
    />
  )
}

/** What the cells are, and the first that does not fit. */
function cellsInWords({ kinds }: NewColumn, type: ColumnType | null): ReactNode {
  const [wrong] = type === null ? [] : kinds.filter(({ Kind }) => !fits(Kind, type))
  return (
    <div>
      {kindsInWords(kinds)}
      {wrong === undefined ? null : (
        <div className="small">{`${wrong.FirstCell} does not fit: ${wrong.FirstValue}. Correct it, or choose another type.`}</div>
      )}
    </div>
  )
}
