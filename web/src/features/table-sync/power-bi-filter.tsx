/** How a report follows the portal's rights: a filter for a role of Power BI, ready to copy. */
import type { SyncedTable } from '@tributary/contract/table-sync'
import { CopyButton } from '../../ui/display/copy-button.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import css from './table-sync.module.css'

export function PowerBi({ tables }: { tables: readonly SyncedTable[] }) {
  const versions = tables.filter(({ Kind }) => Kind === 'version')
  if (versions.length === 0) return null
  return (
    <Panel title="Row-level security in Power BI">
      <p>
        Load <code>tributary_row_right</code> beside the tables, hide it, and give a role this filter on each table.
        Whoever opens the report then sees the rows that the portal gives them, after the next synchronisation.
      </p>
      {versions.map(({ Table }) => (
        <div key={Table} className={css.filter}>
          <h3>{Table}</h3>
          <pre>
            <code>{filterOf(Table)}</code>
          </pre>
          <CopyButton text={filterOf(Table)} what={`filter for ${Table}`} />
        </div>
      ))}
    </Panel>
  )
}

/** https://learn.microsoft.com/en-us/dax/contains-function-dax */
export function filterOf(table: string): string {
  const right = (column: string) => `'tributary_row_right'[${column}]`
  const matches = ['Entity', 'Area', 'Subarea', 'Milestone'].map(
    (column) => `  ${right(column)}, '${table.replaceAll("'", "''")}'[${column}]`,
  )
  const own = [`  ${right('Email')}, USERPRINCIPALNAME()`, `  ${right('TableName')}, "${table.replaceAll('"', '""')}"`]
  return `CONTAINS(\n  'tributary_row_right',\n${[...own, ...matches].join(',\n')}\n)`
}
