/** Reads one table: whole, or what has changed since, by the method that it allows. */
import { decodeSome } from '../../../encoding/copy-text.ts'
import type { Batch, Checkpoint } from '../../../ports/model.ts'
import type { AskedByKey } from '../../sql-source/discovered-tables.ts'
import type { ReadRequest } from '../../../ports/source.ts'
import type { SqlConnection } from '../connection.ts'
import { literal, quote } from '../quoting.ts'
import type { PlannedColumn, TablePlan } from './discover.ts'
import { isUsable, takeMoment, text } from './moment.ts'
import { streamRows } from './row-stream.ts'
import { type RowSelect, selectRows } from './select-rows.ts'

export async function* readTable(
  plan: TablePlan,
  connection: SqlConnection,
  request: ReadRequest,
): AsyncGenerator<Batch> {
  const moment = await takeMoment(plan, connection)
  await openSnapshot(plan, connection)
  const since = isUsable(request.since, moment) ? request.since : null
  if (request.since !== null && since === null)
    request.tell(`${plan.stream.name}: its former changes cannot be told any more, so it is read whole.`)
  if (since !== null && plan.method.kind === 'tracking') yield* trackedChanges(plan, connection, since)
  else
    yield* selected(plan, connection, {
      rows: selectRows(plan.columns),
      where: since === null ? '' : changedSince(plan, since),
    })
  await closeSnapshot(plan, connection)
  if (moment !== null)
    yield { table: plan.stream.table.name, bytes: new Uint8Array(), rows: 0, checkpoint: moment.checkpoint }
}

/** The keys of all rows, in the order of the key columns. */
export async function* readKeys(plan: TablePlan, connection: SqlConnection): AsyncGenerator<Batch> {
  await openSnapshot(plan, connection)
  yield* selected(plan, connection, { rows: selectRows(plan.key), where: '' })
  await closeSnapshot(plan, connection)
}

export async function* readByKey(
  plan: TablePlan,
  connection: SqlConnection,
  { keys }: AskedByKey,
): AsyncGenerator<Batch> {
  await openSnapshot(plan, connection)
  for (const some of decodeSome(keys, keysAtOnce))
    yield* selected(plan, connection, { rows: selectRows(plan.columns), where: ` WHERE ${haveKeys(plan.key, some)}` })
  await closeSnapshot(plan, connection)
}

/** So many conditions are found by the index, not by reading the table. */
const keysAtOnce = 200

function haveKeys(key: readonly PlannedColumn[], keys: readonly (readonly (string | null)[])[]): string {
  const equal = (values: readonly (string | null)[]): string =>
    key.map((column, at) => `${quote(column.name)} = ${valueOf(column, values[at] ?? '')}`).join(' AND ')
  return keys.map((values) => `(${equal(values)})`).join(' OR ')
}

/** Canonical text as a value of the column. */
function valueOf({ type, sqlType }: PlannedColumn, text: string): string {
  switch (type.kind) {
    case 'boolean':
      return text === 't' ? '1' : '0'
    case 'bytes':
      return `0x${text.slice(2)}`
    case 'date':
    case 'time':
    case 'localTimestamp':
      return `CONVERT(${sqlType}, ${literal(text)}, 121)`
    case 'instant':
      return `CONVERT(${sqlType}, ${literal(text.replace(/\+00$/, '+00:00'))}, 121)`
    case 'double':
      return `CONVERT(${sqlType}, ${literal(text)})`
    default:
      return literal(text)
  }
}

/** Without snapshots a row that moves meanwhile may come twice; a merge by key makes that harmless. */
async function openSnapshot(plan: TablePlan, connection: SqlConnection): Promise<void> {
  await connection.run('SET LOCK_TIMEOUT 30000')
  if (plan.hasSnapshots) await connection.run('SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRANSACTION')
}

async function closeSnapshot(plan: TablePlan, connection: SqlConnection): Promise<void> {
  if (plan.hasSnapshots) await connection.run('COMMIT TRANSACTION')
}

function changedSince({ method }: TablePlan, since: Checkpoint): string {
  const from = text(since['from'])
  if (method.kind === 'rowversion')
    return ` WHERE ${quote(method.column)} >= ${/^0x[0-9A-F]{16}$/i.test(from) ? from : '0x00'}`
  if (method.kind === 'cursor')
    return ` WHERE ${quote(method.column)} >= CONVERT(${method.sqlType}, ${literal(from)}, 121)`
  return ''
}

/** One net change a key. A row that was inserted or changed and is not there has been deleted since. */
async function* trackedChanges(plan: TablePlan, connection: SqlConnection, since: Checkpoint): AsyncGenerator<Batch> {
  const on = plan.key.map(({ name }) => `t.${quote(name)} = ct.${quote(name)}`).join(' AND ')
  const isGone = `CASE WHEN t.${quote(plan.key[0]?.name ?? '')} IS NULL THEN 1 ELSE 0 END`
  const [keys, rows] = [selectRows(plan.key, 'ct.'), selectRows(plan.columns, 't.')]
  const sql = `SELECT ${isGone}, ${keys.list}, ${rows.list}
    FROM CHANGETABLE(CHANGES ${plan.from}, ${BigInt(text(since['version']))}) AS ct LEFT JOIN ${plan.from} AS t ON ${on}`
  for await (const changes of streamRows(connection, sql)) {
    const { gone = [], there = [] } = Object.groupBy(changes, (row) => (row[0] === 1 ? 'gone' : 'there'))
    if (there.length > 0)
      yield batchOf(
        plan,
        there.map((row) => rows.encode(row, 1 + keys.width)),
      )
    if (gone.length > 0)
      yield {
        ...batchOf(
          plan,
          gone.map((row) => keys.encode(row, 1)),
        ),
        deletes: true,
      }
  }
}

interface Selection {
  readonly rows: RowSelect
  readonly where: string
}

async function* selected(
  plan: TablePlan,
  connection: SqlConnection,
  { rows, where }: Selection,
): AsyncGenerator<Batch> {
  for await (const some of streamRows(connection, `SELECT ${rows.list} FROM ${plan.from}${where}`))
    yield batchOf(
      plan,
      some.map((row) => rows.encode(row)),
    )
}

function batchOf({ stream }: TablePlan, lines: readonly string[]): Batch {
  return { table: stream.table.name, bytes: Buffer.from(lines.join('')), rows: lines.length }
}
