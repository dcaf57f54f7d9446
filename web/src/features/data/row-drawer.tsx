/** One row with all its values, and the way to the rows of other tables that belong to it. */
import type { DataCell, DataLink, DataTable } from '@tributary/contract/data'
import { Link } from 'react-router'
import { paths } from '../../paths.ts'
import { CopyButton } from '../../ui/display/copy-button.tsx'
import { Dialog } from '../../ui/dialogs/dialog.tsx'
import { DrawerSection } from '../../ui/layout/drawer-section.tsx'
import css from './data.module.css'
import { exactText, formatCell } from './data-words.ts'
import { defaultView, toAddress } from './table-address.ts'

interface RowDrawerProps {
  table: DataTable
  row: readonly DataCell[]
  onClose: () => void
}

export function RowDrawer({ table, row, onClose }: RowDrawerProps) {
  const links = table.Links.flatMap((link) => {
    const to = linkOf(table, row, link)
    return to === null ? [] : [{ link, to }]
  })
  return (
    <Dialog kind="drawer" title={`A row of ${table.Name}`} onClose={onClose}>
      {links.length === 0 ? null : (
        <DrawerSection title="Belongs to it">
          <ul className={css.links}>
            {links.map(({ link, to }) => (
              <li key={to}>
                <Link to={to}>{link.IsParent ? `The row of ${link.Table}` : `The rows of ${link.Table}`}</Link>
                <span className={css.note}>{`${link.OtherColumns.join(', ')} = ${link.Columns.join(', ')}`}</span>
              </li>
            ))}
          </ul>
        </DrawerSection>
      )}
      <DrawerSection title="Values">
        <dl className={css.values}>
          {table.Columns.map((column, index) => {
            const value = row[index] ?? null
            return (
              <div key={column.Name}>
                <dt title={column.Description ?? undefined}>{column.Name}</dt>
                <dd>
                  <span title={exactText(value)}>{formatCell(value, column)}</span>
                  {value === null ? null : <CopyButton text={exactText(value)} what={column.Name} />}
                </dd>
              </div>
            )
          })}
        </dl>
      </DrawerSection>
    </Dialog>
  )
}

/** Null if the row has no value in a column of the relation. */
function linkOf({ Columns }: DataTable, row: readonly DataCell[], link: DataLink): string | null {
  const values = link.Columns.map((name) => row[Columns.findIndex(({ Name }) => Name === name)] ?? null)
  if (values.includes(null)) return null
  const filters = link.OtherColumns.map((column, index) => ({
    column,
    operator: 'oneOf' as const,
    values: [exactText(values[index] ?? null)],
  }))
  return paths.dataTable(link.Schema, link.Table, toAddress({ ...defaultView, filters }))
}
