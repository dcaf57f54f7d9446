/** A table of a PostgreSQL source, open for verification. */
import type { ColumnSelection } from '../../sql-source/column-selection.ts'
import type { Checkpoint } from '../../../ports/model.ts'
import type { Stream } from '../../../ports/source.ts'
import type { SourceTable } from '../../../ports/verified-table.ts'
import type { SessionPool } from '../session-pool.ts'
import { verifiedColumn } from '../verification/columns.ts'
import { beginTableRead, isUtf8 } from '../verification/table-read.ts'
import { checksumWords } from '../verification/words.ts'
import { takeSnapshot, writtenAfter } from './changes-since.ts'
import { findRelation } from './discover.ts'

interface SourceAccess {
  readonly sessions: SessionPool
  readonly selection: ColumnSelection
}

export async function openVerifiedSource(
  { sessions, selection }: SourceAccess,
  stream: Stream,
  since: Checkpoint | null,
): Promise<SourceTable> {
  const { relation, words } = await sessions.use(async (client) => ({
    relation: await findRelation(client, stream, selection),
    words: checksumWords(await isUtf8(client)),
  }))
  const { types } = relation
  return {
    name: stream.name,
    words,
    from: relation.from,
    columns: relation.stream.table.columns.map(({ name, type }, at) =>
      verifiedColumn({
        name,
        type,
        value: relation.expressions[at] ?? '',
        stored: type.kind === 'double' ? (types[at] ?? null) : null,
      }),
    ),
    notices: [],
    stamp: stream.reads === 'since' && since !== null ? 'transaction' : 'none',
    read: async () =>
      await beginTableRead(
        await sessions.take(),
        (error) => sessions.explain(error),
        async (client) =>
          stream.reads === 'since' && since !== null
            ? writtenAfter(relation, since, await takeSnapshot(client))
            : { isNewer: null },
      ),
  }
}
