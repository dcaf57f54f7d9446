/** A table of a SQL Server source, open for verification. */
import type { Checkpoint } from '../../../ports/model.ts'
import type { NewerRows, SourceTable } from '../../../ports/verified-table.ts'
import type { SqlConnection } from '../connection.ts'
import { quote } from '../quoting.ts'
import { verifiedColumn } from '../verification/columns.ts'
import { beginTableRead, hasUtf8 } from '../verification/table-read.ts'
import { checksumWords } from '../verification/words.ts'
import { isUsable, takeChangePosition, text } from './change-position.ts'
import type { SqlServerTablePlan } from './discover.ts'
import { changedSince, isRowversion } from './read.ts'

export async function openVerifiedSource(
  plan: SqlServerTablePlan,
  connect: () => Promise<SqlConnection>,
  checkpoint: Checkpoint | null,
): Promise<SourceTable> {
  const { method, stream, columns } = plan
  await using connection = await connect()
  const position = await takeChangePosition(plan, connection)
  const since = isUsable(checkpoint, position) ? checkpoint : null
  const newer: NewerRows = since === null ? { isNewer: null } : writtenAfter(plan, since)
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
    stamp: newer.isNewer === null ? 'none' : method.kind === 'cursor' ? 'column' : 'transaction',
    read: async () => await beginTableRead(await connect(), newer),
  }
}

/** A stamp of a day ahead says nothing: every run reads such a row again. */
function writtenAfter(plan: SqlServerTablePlan, since: Checkpoint): NewerRows {
  const { method } = plan
  if (method.kind === 'tracking') {
    const table = plan.from
    const on = plan.key.map(({ name }) => `ct.${quote(name)} = ${table}.${quote(name)}`).join(' AND ')
    const changes = `CHANGETABLE(CHANGES ${table}, ${BigInt(text(since['version']))})`
    return { isNewer: `EXISTS (SELECT 1 FROM ${changes} AS ct WHERE ${on})` }
  }
  const mayBeNewer = changedSince(plan, since) ?? ''
  if (method.kind === 'cursor')
    return { isNewer: `${mayBeNewer} AND ${quote(method.column)} < DATEADD(day, 1, SYSUTCDATETIME())`, mayBeNewer }
  const last = text(since['last'])
  const isNewer = method.kind === 'rowversion' && isRowversion(last) ? `${quote(method.column)} > ${last}` : '1 = 0'
  return { isNewer, mayBeNewer }
}
