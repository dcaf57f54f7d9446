/** A table of a MySQL or MariaDB source, open for verification. */
import type { Checkpoint } from '../../../ports/model.ts'
import type { SourceTable } from '../../../ports/verified-table.ts'
import type { MysqlConnection } from '../connection.ts'
import { quote, quoteText } from '../quoting.ts'
import { verifiedColumn } from '../verification/columns.ts'
import { beginTableRead } from '../verification/table-read.ts'
import { checksumWords } from '../verification/words.ts'
import type { MysqlTablePlan } from './discover.ts'
import { asOurs } from './read.ts'

export async function openVerifiedSource(
  plan: MysqlTablePlan,
  connect: () => Promise<MysqlConnection>,
  checkpoint: Checkpoint | null,
): Promise<SourceTable> {
  const { cursor, stream, columns } = plan
  const since = asOurs(checkpoint, plan)
  // A whole read that was interrupted has not read every row yet.
  const isNewer =
    cursor === null || since === null || since.after !== undefined
      ? null
      : `${quote(cursor.name)} >= ${quoteText(since.from)}`
  await using connection = await connect()
  const side = { isMariadb: connection.isMariadb, isSource: true }
  return {
    name: stream.name,
    words: checksumWords,
    from: quote(stream.name),
    columns: columns.map(({ name, type, select }) =>
      verifiedColumn({ name, type, own: type, value: `(${select(quote(name))})`, side }),
    ),
    notices: [],
    stamp: isNewer === null ? 'none' : 'column',
    read: async () => await beginTableRead(await connect(), isNewer),
  }
}
