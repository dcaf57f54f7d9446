/** How large tables and their histories are. */
import type { TableSize } from '../../../ports/history.ts'
import type { WriterSession } from '../dialect.ts'

/** A table of at most so many bytes is counted: statistics may not know a new one yet. Counting a larger one would cost with every run. */
const countedBytesMax = 16 * 2 ** 20

export async function measureTables(context: WriterSession, names: readonly string[]): Promise<readonly TableSize[]> {
  const sizes: TableSize[] = []
  for (const name of names) sizes.push(await measureTable(context, name))
  return sizes
}

async function measureTable({ dialect, session }: WriterSession, name: string): Promise<TableSize> {
  const [[estimate, size] = []] = await session.rows(dialect.tableSizeSql(name))
  const bytes = Number(size ?? 0)
  if (bytes > countedBytesMax) return { name, rows: Number(estimate ?? 0), bytes }
  const [[rows] = []] = await session.rows(`SELECT ${dialect.countRows} FROM ${dialect.qualified(name)}`)
  return { name, rows: Number(rows ?? 0), bytes }
}
