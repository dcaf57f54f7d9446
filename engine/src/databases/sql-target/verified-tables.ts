/** Opens the tables of a stream for verification, as they are. */
import type { Stream } from '../../ports/source.ts'
import type { TargetTableCopy } from '../../ports/verified-table.ts'
import type { WriterSession } from './dialect.ts'
import type { TableChecksums } from './table-checksums.ts'
import { planExistingTables, type StreamTablePlan } from './prepare-tables.ts'
import type { TargetSession, TargetSessions } from './sessions.ts'

export async function verifiedTables(
  context: WriterSession,
  stream: Stream,
  sessions: TargetSessions<TargetSession>,
): Promise<readonly TargetTableCopy[]> {
  const { dialect, session, writer } = context
  const plans = await planExistingTables(context, stream)
  const checksums = await dialect.checksums(session)
  const key = { connectorId: writer.connectorId, stream: stream.name }
  return plans.map((plan) => ({
    name: plan.target.name,
    unknownValues: dialect.unknownValues,
    words: checksums.words,
    from: dialect.qualified(plan.target.name),
    ...columnsOf(plan, checksums),
    read: async () => await dialect.readTable(await sessions.take(), key, dialect.systemTables.state),
  }))
}

/** A column that the table does not have yet, or not in the type of its values, has values only after the next run. */
function columnsOf({ target, columns }: StreamTablePlan, checksums: TableChecksums) {
  const { outdated = [], current = [] } = Object.groupBy(columns, ({ change }) =>
    change.kind === 'keep' ? 'current' : 'outdated',
  )
  return {
    columns: current.flatMap(({ column: { name } }) => {
      const at = columns.findIndex(({ column }) => column.name === name)
      const found = target.columns[at]
      return found === undefined ? [] : [checksums.column(found, name)]
    }),
    notices: outdated.map(
      ({ column }) => `The next run adds or changes the column ‘${column.name}’, so it is not compared yet.`,
    ),
  }
}
