/** Finds or creates the tables of a stream and changes them until they fit it. */
import { Fault } from '../../ports/faults.ts'
import type { Table } from '../../ports/model.ts'
import type { Stream } from '../../ports/source.ts'
import type { PlannedSchemaChange, TargetSchemaChange } from '../../ports/target.ts'
import type { SqlDialect, WriterSession } from './dialect.ts'
import { marked } from './names.ts'
import { forgetFreshness } from './run-reports.ts'
import { forgetState } from './state-store.ts'
import {
  type ExistingColumn,
  listChanges,
  listPlannedChanges,
  needsBackfill,
  planColumns,
  type StreamTables,
  type TargetTablePlan,
} from './table-layout.ts'

export type StreamTablePlan = TargetTablePlan<ExistingColumn>

export interface PreparedStream {
  readonly tables: StreamTables
  readonly changes: readonly TargetSchemaChange[]
}

export async function prepareStream(context: WriterSession, stream: Stream): Promise<PreparedStream> {
  const { dialect, session, writer } = context
  return await dialect.changeTables(session, writer, async () => {
    const prepare = (table: Table): Promise<StreamTablePlan> =>
      dialect.whileNaming(session, async () => {
        const plan = await planTable(context, stream, table)
        await applyPlan(context, stream, plan)
        return plan
      })
    const main = await prepare(stream.table)
    const children: StreamTablePlan[] = []
    for (const table of stream.children) children.push(await prepare(table))
    return {
      tables: [main.target, ...children.map(({ target }) => target)],
      changes: [main, ...children].flatMap(listChanges),
    }
  })
}

/** What `prepareStream` would change. */
export async function previewChanges(context: WriterSession, stream: Stream): Promise<readonly PlannedSchemaChange[]> {
  const changes: PlannedSchemaChange[] = []
  for (const table of [stream.table, ...stream.children])
    changes.push(...listPlannedChanges(await planTable(context, stream, table)))
  return changes
}

/** The stream's tables that exist, and what they lack. */
export async function planExistingTables(context: WriterSession, stream: Stream): Promise<readonly StreamTablePlan[]> {
  const plans: StreamTablePlan[] = []
  for (const table of [stream.table, ...stream.children]) plans.push(await planTable(context, stream, table))
  return plans.filter(({ isClaimed, existing }) => isClaimed && existing.length > 0)
}

async function planTable(context: WriterSession, stream: Stream, table: Table): Promise<StreamTablePlan> {
  const { dialect, session } = context
  const { name, isClaimed } = await findName(context, stream, table)
  const existing = await dialect.readColumns(session, name)
  const nameOf = dialect.columnNames(table, existing)
  const find = (column: string): ExistingColumn | undefined =>
    existing.find((each) => dialect.foldName(each.name) === dialect.foldName(column))
  const fitted = dialect.fitColumns(table)
  const columns = planColumns({
    facts: dialect.facts,
    table,
    name,
    wanted: fitted.map(({ column }) => column),
    nameOf,
    find,
    fit: (column, want) => dialect.fit(column, want),
  })
  const target = {
    table,
    schema: dialect.schema,
    name,
    columns: columns.map((plan, at) => ({
      name: plan.name,
      type: plan.type,
      values: fitted[at]?.values ?? plan.column.type,
      isKey: table.key.includes(plan.column.name),
    })),
    key: table.key.map(nameOf),
    parentKey: (table.parentKey ?? []).map(nameOf),
  }
  return { target, columns, existing, isClaimed }
}

interface FoundName {
  readonly name: string
  /** Whether the name belongs to this table already. */
  readonly isClaimed: boolean
}

/** Finds the name that this table got earlier, or a free one. */
async function findName({ dialect, session, writer }: WriterSession, stream: Stream, table: Table): Promise<FoundName> {
  const [claimed] = await session.rows(
    `SELECT name FROM ${dialect.systemTables.tables} WHERE connector = ? AND stream = ? AND source_name = ?`,
    [writer.connectorId, stream.name, table.name],
  )
  if (claimed !== undefined) return { name: String(claimed[0]), isClaimed: true }
  const plain = dialect.tableName(table.name)
  const [holder] = await session.rows(dialect.nameHolderSql, [plain])
  const isOwn = holder?.[0] === writer.connectorId
  if (holder !== undefined && !isOwn) throw unfit(dialect, dialect.nameTakenNotice(plain))
  const name = isOwn ? marked(plain, dialect.facts.identifierMax, dialect.nameMark(stream.name, table.name)) : plain
  if (await dialect.relationExists(session, name)) throw unfit(dialect, dialect.foreignTableNotice(name))
  return { name, isClaimed: false }
}

/** The claim and the state come first: where DDL cannot be undone, the next run then finds a change that was cut off. */
async function applyPlan(context: WriterSession, stream: Stream, plan: StreamTablePlan): Promise<void> {
  const { dialect, session, writer } = context
  const { target, existing } = plan
  const isNew = existing.length === 0
  if (!plan.isClaimed)
    await session.run(
      `INSERT INTO ${dialect.systemTables.tables} (name, connector, stream, source_name) VALUES (?, ?, ?, ?)`,
      [target.name, writer.connectorId, stream.name, target.table.name],
    )
  if (isNew || !dialect.hasSameKey(existing, target.key) || needsBackfill(plan)) await forgetState(context, stream.name)
  if (isNew) await forgetFreshness(context, target.name)
  await dialect.beforeDdl(session, writer)
  await (isNew ? dialect.createTable(session, target) : dialect.alterTable(session, plan))
}

export function unfit({ facts }: Pick<SqlDialect, 'facts'>, notice: string): Fault {
  return new Fault('settings', { code: `${facts.kind}.unfit`, notice })
}
