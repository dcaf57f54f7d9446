/** A table of a SQL Server source, open for verification. */
import type { Checkpoint } from '../../../ports/model.ts'
import type { SourceTable } from '../../../ports/verified-table.ts'
import type { SqlConnection } from '../connection.ts'
import { quote } from '../quoting.ts'
import { verifiedColumn } from '../verification/columns.ts'
import { beginTableRead, hasUtf8 } from '../verification/table-read.ts'
import { checksumWords } from '../verification/words.ts'
import { isUsable, takeChangePosition, text } from './change-position.ts'
import type { SqlServerTablePlan } from './discover.ts'
import { changedSince } from './read.ts'

export async function openVerifiedSource(
  plan: SqlServerTablePlan,
  connect: () => Promise<SqlConnection>,
  checkpoint: Checkpoint | null,
): Promise<SourceTable> {
  const { method, stream, columns } = plan
  await using connection = await connect()
  const position = await takeChangePosition(plan, connection)
  const since = isUsable(checkpoint, position) ? checkpoint : null
  const isNewer = since === null ? null : newerCondition(plan, since)
  const canHashTexts = await hasUtf8(connection)
  return {
    name: stream.name,
    words: checksumWords,
    from: plan.from,
    columns: columns.map(({ name, type, select, sqlType }) => {
      const column = verifiedColumn({ name, type, own: type, value: select(quote(name)), sqlType, isSource: true })
      return canHashTexts ? column : { ...column, forms: column.forms.filter(({ isFree }) => isFree !== true) }
    }),
    notices: [],
    stamp: isNewer === null ? 'none' : method.kind === 'cursor' ? 'column' : 'transaction',
    read: async () => await beginTableRead(await connect(), isNewer),
  }
}

function newerCondition(plan: SqlServerTablePlan, since: Checkpoint): string {
  if (plan.method.kind !== 'tracking') return changedSince(plan, since).replace(/^ WHERE /u, '')
  const table = plan.from
  const on = plan.key.map(({ name }) => `ct.${quote(name)} = ${table}.${quote(name)}`).join(' AND ')
  return `EXISTS (SELECT 1 FROM CHANGETABLE(CHANGES ${table}, ${BigInt(text(since['version']))}) AS ct WHERE ${on})`
}
