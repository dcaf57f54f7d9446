/** Lists the tables that were created for a stream, and renames them. */
import type { StreamTargetTable, RenameResult, TableRename, Writer } from '../../ports/target.ts'
import type { RenamedTable, SystemTables, WriterSession } from './dialect.ts'
import type { TargetSession } from './sessions.ts'

export async function listCreatedTables(
  { dialect, session, writer }: WriterSession,
  stream: string,
): Promise<readonly StreamTargetTable[]> {
  const rows = await session.rows(
    `SELECT source_name, name FROM ${dialect.systemTables.tables} WHERE connector = ? AND stream = ? AND ${dialect.tableExistsSql} ORDER BY name`,
    [writer.connectorId, stream],
  )
  return rows.map(([sourceName, name]) => ({ sourceName: String(sourceName), name: String(name) }))
}

export async function renameTables(
  context: WriterSession,
  stream: string,
  renamings: readonly TableRename[],
): Promise<RenameResult> {
  const { dialect, session, writer } = context
  return await dialect.changeTables(session, writer, async () => {
    const created = await listCreatedTables(context, stream)
    const renamed = renamings.flatMap(({ from, to }) => {
      const name = created.find(({ sourceName }) => sourceName === from)?.name
      return name === undefined ? [] : [{ name, from, to, newName: dialect.tableName(to) }]
    })
    for (const { name, newName } of renamed) {
      const isSame = dialect.foldName(name) === dialect.foldName(newName)
      if (!isSame && (await dialect.isNameTaken(session, newName, { connectorId: writer.connectorId, stream })))
        return { outcome: 'taken', name: newName }
    }
    await dialect.renameTables(session, writer, stream, renamed)
    return { outcome: 'done' }
  })
}

export interface RenameInTransaction {
  readonly writer: Writer
  readonly stream: string
  readonly renamed: readonly RenamedTable[]
}

/** Renames within a transaction, for databases that can undo DDL. */
export async function renameInTransaction(
  { tables, freshness }: SystemTables,
  session: TargetSession,
  { writer, stream, renamed }: RenameInTransaction,
  rename: (name: string, newName: string) => Promise<void>,
): Promise<void> {
  for (const { name, newName, from, to } of renamed) {
    if (newName !== name) await rename(name, newName)
    await session.run(
      `UPDATE ${tables} SET name = ?, source_name = ? WHERE connector = ? AND stream = ? AND source_name = ?`,
      [newName, to, writer.connectorId, stream, from],
    )
    if (newName !== name) await renameFreshness({ freshness }, session, { name, newName })
  }
}

export async function renameFreshness(
  { freshness }: Pick<SystemTables, 'freshness'>,
  session: TargetSession,
  { name, newName }: Pick<RenamedTable, 'name' | 'newName'>,
): Promise<void> {
  await session.run(`DELETE FROM ${freshness} WHERE table_name = ?`, [newName])
  await session.run(`UPDATE ${freshness} SET table_name = ? WHERE table_name = ?`, [newName, name])
}
