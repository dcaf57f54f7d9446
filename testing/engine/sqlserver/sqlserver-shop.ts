/** A shop in a TDS stub, which replies like a SQL Server with these tables. */
import { decodeRows } from '@tributary/engine/encoding/copy-text'
import type { RowBatch, Checkpoint } from '@tributary/engine/ports/model'
import type { OpenSource, Stream } from '@tributary/engine/ports/source'
import { sqlServerSource, type SqlServerSourceSettings } from '@tributary/engine/databases/sqlserver/source/source'
import { connectionContext } from '../sync/source-context.ts'
import { type StubAnswer, startTdsStub } from './tds-stub.ts'

/** Columns: object_id, schema, name, rows, change tracking, snapshots allowed, type. */
const objects = [
  [1, 'dbo', 'Customer', 3, 1, 1, 'U'],
  [2, 'sales', 'Order', 2, 0, 1, 'U'],
  [3, 'dbo', 'Visit', 9, 0, 1, 'U'],
  [4, 'dbo', 'Summary', null, 0, 1, 'V'],
  [5, 'dbo', 'Keyless', 9, 0, 1, 'U'],
  [6, 'dbo', 'Silent', 9, 0, 1, 'U'],
]
const columns = [
  [1, 'Id', 'int', 4, 10, 0, false],
  [1, 'Region', 'char', 2, 0, 0, false],
  [1, 'CreditLimit', 'decimal', 17, 38, 10, true],
  [1, 'Active', 'bit', 1, 1, 0, true],
  [1, 'Seen', 'datetimeoffset', 10, 34, 7, true],
  [1, 'Photo', 'varbinary', -1, 0, 0, true],
  [2, 'Number', 'nvarchar', 40, 0, 0, false],
  [2, 'Total', 'money', 8, 19, 4, true],
  [2, 'Version', 'timestamp', 8, 0, 0, false],
  [3, 'Id', 'uniqueidentifier', 16, 0, 0, false],
  [3, 'LastModified', 'datetime2', 8, 27, 7, false],
  [4, 'Region', 'varchar', 20, 0, 0, true],
  [5, 'Said', 'varchar', 20, 0, 0, true],
  [6, 'Id', 'int', 4, 10, 0, false],
]
/** Columns: object_id, index, column, nullable, primary. The first index of Order is nullable, so it is not a key. */
const keys = [
  [1, 1, 'Region', false, true],
  [1, 1, 'Id', false, true],
  [2, 2, 'Total', true, false],
  [2, 3, 'Number', false, false],
  [3, 1, 'Id', false, true],
  [6, 1, 'Id', false, true],
]

/** What distinguishes this database from a restored one. */
const [fork, made] = ['fork', '2026-01-01T00:00:00']
export const asRestored = `${fork} ${made}`

/** Joins values like CONCAT. */
const joined = (...values: readonly (string | null)[]): string => values.map((value) => value ?? '').join('\t')

/** Columns: Id, CreditLimit, Active and Seen; Region; Photo. */
const customers = [
  [
    joined('1', '1234567890123456789012345678.0123456789', 't', '2024-03-31 01:30:00.1234567+00'),
    'NO',
    Buffer.from('00ff5c0a', 'hex'),
  ],
  [joined('2', null, 'f', null), 'NO', null],
]

/** Columns: deleted; Id and Region of the change; the row as above. */
const changes = [
  [0, '2', 'NO', joined('2', '5.0000000000', 't', null), 'NO', null],
  [1, '7', 'SO', joined(null, null, null, null), null, null],
]

/** Replies by text in the statement; the first match counts. */
const answers: readonly [says: string, rows: readonly (readonly unknown[])[]][] = [
  ['FROM sys.objects o', objects],
  ['FROM sys.columns c', columns],
  ['FROM sys.indexes i', keys],
  ['CHANGE_TRACKING_CURRENT_VERSION', [['120', '100']]],
  ['CHANGETABLE', changes],
  ['MIN_ACTIVE_ROWVERSION', [['0x00000000000007D1']]],
  ['@@DBTS', [['0x00000000000007E4']]],
  ['dm_tran_commit_table', [['112']]],
  ['SYSUTCDATETIME', [['2026-01-31 10:00:00.000']]],
  ['recovery_fork_guid', [[fork]]],
  ['create_date', [[made]]],
  ['FROM [dbo].[Customer]', customers],
  ['FROM [sales].[Order]', [['922337203685477.5807', 'A-1', Buffer.from('00000000000007d0', 'hex')]]],
]

export function answerShop(sql: string): StubAnswer | undefined {
  const found = answers.find(([says]) => sql.includes(says))
  return found === undefined ? undefined : { rows: found[1] }
}

export async function withShop<T>(
  work: (source: OpenSource, statements: readonly string[]) => Promise<T>,
  change: Partial<SqlServerSourceSettings> = {},
  answer: (sql: string) => StubAnswer | undefined = answerShop,
): Promise<T> {
  await using stub = await startTdsStub({ answer })
  await using source = await sqlServerSource.open(
    { ...stub.reach, tables: [], excludedColumns: [], ...change },
    connectionContext(),
  )
  return await work(source, stub.statements)
}

export interface ReadRows {
  readonly written: readonly (string | null)[][]
  readonly deleted: readonly (string | null)[][]
  readonly checkpoint: Checkpoint | undefined
}

/** Reads the stream with this name once. */
export async function readStream(source: OpenSource, name: string, since: Checkpoint | null): Promise<ReadRows> {
  const stream = (await source.streams()).find((each) => each.name === name) as Stream
  const batches: RowBatch[] = []
  for await (const batch of source.read(stream, { since, encoding: 'text', log: () => {} })) batches.push(batch)
  return {
    written: batches.filter((batch) => batch.deletes !== true).flatMap((batch) => decodeRows(batch.bytes)),
    deleted: batches.filter((batch) => batch.deletes === true).flatMap((batch) => decodeRows(batch.bytes)),
    checkpoint: batches.at(-1)?.checkpoint,
  }
}
