import type { OwnLogin } from '@tributary/contract/logins'
import { formatCount } from '../../ui/formats.ts'
import { Callout } from '../../ui/feedback/callout.tsx'
import { Panel } from '../../ui/layout/panel.tsx'
import css from './logins.module.css'

type Table = OwnLogin['Tables'][number]

/** In the order of the page. */
const kinds: readonly Table['Kind'][] = ['connector', 'version', 'helperTable', 'view', 'system']

/** What the login reads, by connector, version and helper table. */
export function ReadableTablesPanel({ login: { Tables, HasOwnDatabase } }: { login: OwnLogin }) {
  const sorted = Tables.toSorted((a, b) => kinds.indexOf(a.Kind) - kinds.indexOf(b.Kind))
  const groups = [...Map.groupBy(sorted, ({ Kind, OwnerId }) => `${Kind} ${OwnerId ?? ''}`)]
  return (
    <Panel title="What you may read">
      {HasOwnDatabase ? (
        <Callout tone="info">
          Tables of versions and helper tables are in your organisation’s own database. This login does not apply there:
          ask whoever runs that database for access.
        </Callout>
      ) : null}
      {Tables.length === 0 ? (
        <p>No tables yet. A table is here after its connector has run once.</p>
      ) : (
        <ul className={css.groups}>
          {groups.map(([key, tables]) => (
            <li key={key}>
              <TableGroup tables={tables} />
            </li>
          ))}
        </ul>
      )}
    </Panel>
  )
}

const groupNames: Readonly<Record<Table['Kind'], string>> = {
  connector: 'Connector',
  version: 'Version',
  helperTable: 'Helper table',
  view: 'Views',
  system: 'About the tables',
}

function TableGroup({ tables }: { tables: readonly Table[] }) {
  const [first] = tables
  if (first === undefined) return null
  const count = tables.length === 1 ? '1 table' : `${formatCount(tables.length)} tables`
  return (
    <details>
      <summary>
        {groupNames[first.Kind]}
        {first.Owner === null ? null : (
          <>
            {' '}
            <bdi>{first.Owner}</bdi>
          </>
        )}
        {`: ${count}`}
        {first.IsLimitedByRows ? ', your rows only' : null}
      </summary>
      <ul className={css.tables}>
        {tables.map(({ Schema, Name }) => (
          <li key={`${Schema} ${Name}`}>
            <code>
              <bdi>{`${Schema}.${Name}`}</bdi>
            </code>
          </li>
        ))}
      </ul>
    </details>
  )
}
