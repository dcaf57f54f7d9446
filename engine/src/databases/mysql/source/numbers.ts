/** `tinyint(1)` is MySQL's way to write yes and no, and holds -128 to 127: what a column is for only its values tell. */
import type { ColumnChoice } from '../../sql-source/column-selection.ts'
import { asFault } from '../../../ports/faults.ts'
import type { MysqlConnection, MysqlRow } from '../connection.ts'
import { quote } from '../quoting.ts'
import { discoverTables, type TablePlan } from './discover.ts'

/** The tables as their definitions tell them, but with columns as numbers where one of their values is neither 0 nor 1. */
export async function discoverByValues(
  connection: MysqlConnection,
  wanted: readonly string[],
  choice: ColumnChoice,
): Promise<readonly TablePlan[]> {
  const plans: TablePlan[] = []
  for (const plan of await discoverTables(connection, wanted, choice)) plans.push(await withNumbers(connection, plan))
  return plans
}

async function withNumbers(connection: MysqlConnection, plan: TablePlan): Promise<TablePlan> {
  const { stream, columns } = plan
  const flags = columns.filter(({ wire }) => wire === 'boolean')
  if (flags.length === 0 || stream.fault !== undefined) return plan
  const held = await numbersAmong(connection, stream.name, flags)
  if (held.size === 0) return plan
  const type = { kind: 'integer', bytes: 2 } as const
  return {
    ...plan,
    columns: columns.map((column) => (held.has(column.name) ? { ...column, type, wire: 'plain' } : column)),
    stream: {
      ...stream,
      table: {
        ...stream.table,
        columns: stream.table.columns.map((column) => (held.has(column.name) ? { ...column, type } : column)),
      },
    },
  }
}

/** One look through the table. What cannot be looked at is met again when it is read. */
async function numbersAmong(
  connection: MysqlConnection,
  table: string,
  flags: readonly { readonly name: string }[],
): Promise<ReadonlySet<string>> {
  const tests = flags.map(({ name }, at) => `MAX(${quote(name)} NOT IN (0, 1)) AS c${at}`)
  const [found] = await connection.rows(`SELECT ${tests.join(', ')} FROM ${quote(table)}`).catch(ofTableAlone)
  return new Set(flags.flatMap(({ name }, at) => (found?.[`c${at}`] === '1' ? [name] : [])))
}

function ofTableAlone(error: unknown): readonly MysqlRow[] {
  const { kind } = asFault(error)
  if (kind === 'data' || kind === 'settings') return []
  throw error
}
