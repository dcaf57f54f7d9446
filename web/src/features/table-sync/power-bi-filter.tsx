/** Row-level security in Power BI: a filter by the portal's access rights, ready to copy. */
import type { SyncedTable } from '@tributary/contract/table-sync'
import { CopyButton } from '../../ui/display/copy-button.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import css from './table-sync.module.css'

export function PowerBiFilters({ tables }: { tables: readonly SyncedTable[] }) {
  const versions = tables.filter(({ Kind }) => Kind === 'version')
  if (versions.length === 0) return null
  return (
    <Panel title="Row-level security in Power BI">
      <p>
        Load <code>tributary_row_right</code> in addition to the tables, hide it, and give a role this filter on each
        table. Users then see only the rows that the portal grants them, as of the latest synchronisation.
      </p>
      {versions.map(({ Table }) => (
        <div key={Table} className={css.filter}>
          <h3>{Table}</h3>
          <pre>
            <code>{powerBiFilter(Table)}</code>
          </pre>
          <CopyButton text={powerBiFilter(Table)} what={`filter for ${Table}`} />
        </div>
      ))}
    </Panel>
  )
}

/** DAX filter: https://learn.microsoft.com/en-us/dax/contains-function-dax */
export function powerBiFilter(table: string): string {
  const right = (column: string) => `'tributary_row_right'[${column}]`
  const matches = ['Entity', 'Area', 'Subarea', 'Milestone'].map(
    (column) => `  ${right(column)}, '${table.replaceAll("'", "''")}'[${column}]`,
  )
  const own = [`  ${right('Email')}, USERPRINCIPALNAME()`, `  ${right('TableName')}, "${table.replaceAll('"', '""')}"`]
  return `CONTAINS(\n  'tributary_row_right',\n${[...own, ...matches].join(',\n')}\n)`
}
