/** Reads one table: whole, or only its changes, by the method that the table allows. */
import { type Checkpoint, checkpointBatch, type RowBatch } from '../../../ports/model.ts'
import type { KeyedReadRequest } from '../../sql-source/discovered-tables.ts'
import type { KeysRequest, ReadRequest } from '../../../ports/source.ts'
import { earlyCondition, type EarlyWords, whereAll } from '../../sql-source/early-conditions.ts'
import { keyConditions } from '../../sql-source/key-conditions.ts'
import type { SqlConnection } from '../connection.ts'
import { literal, quote } from '../quoting.ts'
import type { SqlServerPlannedColumn, SqlServerTablePlan } from './discover.ts'
import { isUsable, takeChangePosition, text, withLastRowversion } from './change-position.ts'
import { streamRows } from './row-stream.ts'
import { type RowSelect, selectRows } from './select-rows.ts'

export async function* readTable(
  plan: SqlServerTablePlan,
  connection: SqlConnection,
  request: ReadRequest,
): AsyncGenerator<RowBatch> {
  const moment = await takeChangePosition(plan, connection)
  await openSnapshot(plan, connection)
  const since = isUsable(request.since, moment) ? request.since : null
  if (request.since !== null && since === null)
    request.log(`${plan.stream.name}: its former changes cannot be told any more, so it is read whole.`)
  if (since !== null && plan.method.kind === 'tracking') yield* trackedChanges(plan, connection, since)
  else
    yield* selected(plan, connection, {
      rows: selectRows(plan.columns),
      where: whereAll([
        since === null ? null : changedSince(plan, since),
        earlyCondition(request.conditions, earlyWords(plan)),
      ]),
    })
  const checkpoint = moment === null ? null : await withLastRowversion(plan, connection, moment.checkpoint)
  await closeSnapshot(plan, connection)
  if (checkpoint !== null) yield checkpointBatch(plan.stream, checkpoint)
}

/** The keys of all rows, in the order of the key columns. */
export async function* readKeys(
  plan: SqlServerTablePlan,
  connection: SqlConnection,
  { columns, conditions }: KeysRequest,
): AsyncGenerator<RowBatch> {
  const named = columns.flatMap((name) => plan.columns.filter((column) => column.name === name))
  await openSnapshot(plan, connection)
  yield* selected(plan, connection, {
    rows: selectRows([...plan.key, ...named]),
    where: whereAll([earlyCondition(conditions, earlyWords(plan))]),
  })
  await closeSnapshot(plan, connection)
}

export async function* readByKey(
  plan: SqlServerTablePlan,
  connection: SqlConnection,
  { keys }: KeyedReadRequest,
): AsyncGenerator<RowBatch> {
  await openSnapshot(plan, connection)
  const equals = (column: SqlServerPlannedColumn, text: string): string =>
    `${quote(column.name)} = ${valueOf(column, text)}`
  for (const condition of keyConditions(plan.key, keys, equals))
    yield* selected(plan, connection, { rows: selectRows(plan.columns), where: ` WHERE ${condition}` })
  await closeSnapshot(plan, connection)
}

/** Canonical text as a value of the column. */
function valueOf({ type, sqlType }: SqlServerPlannedColumn, text: string): string {
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

/** Without snapshots a row that moves meanwhile may be read twice; a merge by key makes that harmless. */
async function openSnapshot(plan: SqlServerTablePlan, connection: SqlConnection): Promise<void> {
  await connection.run('SET LOCK_TIMEOUT 30000')
  if (plan.hasSnapshots) await connection.run('SET TRANSACTION ISOLATION LEVEL SNAPSHOT; BEGIN TRANSACTION')
}

async function closeSnapshot(plan: SqlServerTablePlan, connection: SqlConnection): Promise<void> {
  if (plan.hasSnapshots) await connection.run('COMMIT TRANSACTION')
}

/** Null: all rows. */
export function changedSince({ method }: SqlServerTablePlan, since: Checkpoint): string | null {
  const from = text(since['from'])
  if (method.kind === 'rowversion') return `${quote(method.column)} >= ${isRowversion(from) ? from : '0x00'}`
  if (method.kind === 'cursor') return `${quote(method.column)} >= CONVERT(${method.sqlType}, ${literal(from)}, 121)`
  return null
}

const integerForm = /^-?\d{1,18}$/u

/** Comparing decimals of different precision may overflow, and large texts cannot be compared. */
function earlyWords({ columns }: SqlServerTablePlan): EarlyWords<SqlServerPlannedColumn> {
  return {
    columns,
    describe: (column) => column,
    value: ({ name }) => quote(name),
    number: ({ type }, text) => (type.kind === 'integer' && integerForm.test(text) ? text : null),
    day: (text) => `CONVERT(date, ${literal(text)}, 23)`,
    text: ({ type }, text) => (type.kind === 'text' && type.maxLength !== undefined ? literal(text) : null),
  }
}

export function isRowversion(version: string): boolean {
  return /^0x[0-9A-F]{16}$/i.test(version)
}

/** Reads one net change a key. A changed row that does not exist was deleted since. */
async function* trackedChanges(
  plan: SqlServerTablePlan,
  connection: SqlConnection,
  since: Checkpoint,
): AsyncGenerator<RowBatch> {
  const on = plan.key.map(({ name }) => `t.${quote(name)} = ct.${quote(name)}`).join(' AND ')
  const isDeleted = `CASE WHEN t.${quote(plan.key[0]?.name ?? '')} IS NULL THEN 1 ELSE 0 END`
  const [keys, rows] = [selectRows(plan.key, 'ct.'), selectRows(plan.columns, 't.')]
  const sql = `SELECT ${isDeleted}, ${keys.list}, ${rows.list}
    FROM CHANGETABLE(CHANGES ${plan.from}, ${BigInt(text(since['version']))}) AS ct LEFT JOIN ${plan.from} AS t ON ${on}`
  for await (const changes of streamRows(connection, sql)) {
    const { deleted = [], present = [] } = Object.groupBy(changes, (row) => (row[0] === 1 ? 'deleted' : 'present'))
    if (present.length > 0)
      yield batchOf(
        plan,
        present.map((row) => rows.encode(row, 1 + keys.width)),
      )
    if (deleted.length > 0)
      yield {
        ...batchOf(
          plan,
          deleted.map((row) => keys.encode(row, 1)),
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
  plan: SqlServerTablePlan,
  connection: SqlConnection,
  { rows, where }: Selection,
): AsyncGenerator<RowBatch> {
  for await (const some of streamRows(connection, `SELECT ${rows.list} FROM ${plan.from}${where}`))
    yield batchOf(
      plan,
      some.map((row) => rows.encode(row)),
    )
}

function batchOf({ stream }: SqlServerTablePlan, lines: readonly string[]): RowBatch {
  return { table: stream.table.name, bytes: Buffer.from(lines.join('')), rows: lines.length }
}
