/** A table of a MySQL or MariaDB source, open for verification. */
import type { Checkpoint } from '../../../ports/model.ts'
import type { NewerRows, SourceTable } from '../../../ports/verified-table.ts'
import type { MysqlConnection } from '../connection.ts'
import { quote, quoteText } from '../quoting.ts'
import { verifiedColumn } from '../verification/columns.ts'
import { beginTableRead } from '../verification/table-read.ts'
import { checksumWords } from '../verification/words.ts'
import type { CursorColumn, MysqlTablePlan } from './discover.ts'
import { asOurs, type MysqlCheckpoint } from './read.ts'

export async function openVerifiedSource(
  plan: MysqlTablePlan,
  connect: () => Promise<MysqlConnection>,
  checkpoint: Checkpoint | null,
): Promise<SourceTable> {
  const { cursor, stream, columns } = plan
  const since = asOurs(checkpoint, plan)
  // A whole read that was interrupted has not read every row yet.
  const newer = cursor === null || since === null || since.after !== undefined ? unknown : writtenAfter(cursor, since)
  await using connection = await connect()
  const side = { isMariadb: connection.isMariadb, isSource: true }
  return {
    name: stream.name,
    words: checksumWords,
    from: quote(stream.name),
    columns: columns.map(({ name, type, select, isUtf8 }) =>
      verifiedColumn({ name, type, own: type, value: `(${select(quote(name))})`, isUtf8, side }),
    ),
    notices: [],
    stamp: newer.isNewer === null ? 'none' : 'column',
    read: async () => await beginTableRead(await connect(), newer),
  }
}

const unknown: NewerRows = { isNewer: null }

/** A stamp of a day ahead says nothing: every run reads such a row again. Sessions have the time zone UTC. */
function writtenAfter(cursor: CursorColumn, { from, usual = from }: MysqlCheckpoint): NewerRows {
  const stamp = quote(cursor.name)
  return {
    isNewer: `${stamp} >= ${quoteText(usual)} AND ${stamp} < UTC_TIMESTAMP() + INTERVAL 1 DAY`,
    mayBeNewer: `${stamp} >= ${quoteText(from)}`,
  }
}
