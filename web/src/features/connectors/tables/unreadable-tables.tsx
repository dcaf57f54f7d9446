/** Tables that cannot be moved, with the reason and the statement that their owner must run. */
import type { OfferedTable } from '@tributary/contract/streams'
import { Callout } from '../../../ui/feedback/callout.tsx'
import { SqlStatement } from '../form/sql-statement.tsx'
import { formatCount } from '../../../ui/formats.ts'

/** A database may contain thousands of unreadable tables; the first ones suffice to find the cause. */
const maxTables = 50

export function UnreadableTables({ tables }: { tables: readonly OfferedTable[] }) {
  if (tables.length === 0) return null
  const title = tables.length === 1 ? '1 table cannot be moved' : `${formatCount(tables.length)} tables cannot be moved`
  return (
    <Callout tone="info" title={title}>
      <ul>
        {tables.slice(0, maxTables).map(({ Name, Notice, Remedy }) => (
          <li key={Name}>
            <SqlStatement sentence={`${Name}: ${Notice}`} remedy={Remedy} />
          </li>
        ))}
      </ul>
      {tables.length > maxTables ? <p>{`And ${formatCount(tables.length - maxTables)} more.`}</p> : null}
    </Callout>
  )
}
