/** Keeps the rows that a replacement does not replace, and that a key comparison does not compare. */
import type { RowScope } from '../../ports/row-scope.ts'
import type { ShadowTables, StagedTable, WriterSession } from './dialect.ts'
import type { StreamTables, TargetTable } from './table-layout.ts'

/**
 * Copies the rows outside of `part` from the tables to their shadow tables, which then have no others outside of it. Within the transaction
 * of the swap. Returns by how many rows the shadow of the main table has grown.
 */
export async function keepOtherRows(
  { dialect, session, tables }: WriterSession & { readonly tables: StreamTables },
  shadow: ShadowTables,
  part: RowScope,
): Promise<number> {
  const gained: number[] = []
  for (const [at, target] of tables.entries()) {
    const into = shadow.tables[at] ?? ''
    const columns = target.columns.map(({ name }) => dialect.facts.quote(name)).join(', ')
    const isOther = outside(dialect, target, part)
    const discarded = await session.run(`DELETE FROM ${into} WHERE ${isOther}`, part.values)
    const kept = await session.run(
      `INSERT INTO ${into} (${columns}) SELECT ${columns} FROM ${dialect.qualified(target.name)} WHERE ${isOther}`,
      part.values,
    )
    gained.push(kept - discarded)
  }
  return gained[0] ?? 0
}

/** Adds the keys of the rows outside of `part` to a list of keys. Returns how many rows of the table are in it. */
export async function listOtherKeys(
  { dialect, session }: WriterSession,
  main: TargetTable,
  keys: StagedTable,
  part: RowScope,
): Promise<number> {
  const columns = main.key.map((name) => dialect.facts.quote(name)).join(', ')
  const table = dialect.qualified(main.name)
  const others = await session.run(
    `INSERT INTO ${keys.stage} (${columns}) SELECT ${columns} FROM ${table} WHERE ${outside(dialect, main, part)}`,
    part.values,
  )
  const [row] = await session.rows(`SELECT COUNT(*) FROM ${table}`)
  return Number(row?.[0] ?? 0) - others
}

function outside({ facts }: WriterSession['dialect'], { table, columns }: TargetTable, part: RowScope): string {
  const column = columns[table.columns.findIndex(({ name }) => name === part.column)]
  if (column === undefined) throw new Error(`The table ‘${table.name}’ has no column ‘${part.column}’.`)
  return `${facts.quote(column.name)} NOT IN (${part.values.map(() => '?').join(', ')})`
}
