/** Tables of the source that are not moved, each with the reason and the statement that its owner must run. */
import type { OfferedTable } from '@tributary/contract/streams'
import { count } from '../../../ui/tables/data-table.tsx'
import { Note } from '../../../ui/feedback/callout.tsx'
import { Statement } from '../form/sql-statement.tsx'

/** A database may hide thousands of tables; one statement after the other helps with the first of them. */
const shownMax = 50

export function UnreadableTables({ tables }: { tables: readonly OfferedTable[] }) {
  if (tables.length === 0) return null
  const title = tables.length === 1 ? '1 table cannot be moved' : `${count(tables.length)} tables cannot be moved`
  return (
    <Note tone="info" title={title}>
      <ul>
        {tables.slice(0, shownMax).map(({ Name, Notice, Remedy }) => (
          <li key={Name}>
            <Statement sentence={`${Name}: ${Notice}`} remedy={Remedy} />
          </li>
        ))}
      </ul>
      {tables.length > shownMax ? <p>{`And ${count(tables.length - shownMax)} more.`}</p> : null}
    </Note>
  )
}
