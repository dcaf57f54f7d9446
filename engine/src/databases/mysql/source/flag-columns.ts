/** `tinyint(1)` is MySQL's boolean but holds -128 to 127: only the values of a column show whether it is one. */
import type { ColumnSelection } from '../../sql-source/column-selection.ts'
import { asFault } from '../../../ports/faults.ts'
import type { MysqlConnection, MysqlRow } from '../connection.ts'
import { quote } from '../quoting.ts'
import { discoverTables, type MysqlTablePlan } from './discover.ts'

/** Discovers tables; a boolean column with a value other than 0 and 1 becomes a number. */
export async function discoverByValues(
  connection: MysqlConnection,
  wanted: readonly string[],
  selection: ColumnSelection,
): Promise<readonly MysqlTablePlan[]> {
  const plans: MysqlTablePlan[] = []
  for (const plan of await discoverTables(connection, wanted, selection))
    plans.push(await withNumbers(connection, plan))
  return plans
}

async function withNumbers(connection: MysqlConnection, plan: MysqlTablePlan): Promise<MysqlTablePlan> {
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

/** Scans the table once. Errors that concern this table only are reported when it is read. */
async function numbersAmong(
  connection: MysqlConnection,
  table: string,
  flags: readonly { readonly name: string }[],
): Promise<ReadonlySet<string>> {
  const tests = flags.map(({ name }, at) => `MAX(${quote(name)} NOT IN (0, 1)) AS c${at}`)
  const [found] = await connection.rows(`SELECT ${tests.join(', ')} FROM ${quote(table)}`).catch(ignoreTableFaults)
  return new Set(flags.flatMap(({ name }, at) => (found?.[`c${at}`] === '1' ? [name] : [])))
}

function ignoreTableFaults(error: unknown): readonly MysqlRow[] {
  const { kind } = asFault(error)
  if (kind === 'data' || kind === 'settings') return []
  throw error
}
