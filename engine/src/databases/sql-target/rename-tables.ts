/** Lists the tables that were created for a stream, and renames them with their histories. */
import type { StreamTargetTable, RenameResult, TableRename, Writer } from '../../ports/target.ts'
import type { SystemTables, WriterSession } from './dialect.ts'
import type { Histories } from './history/histories.ts'
import { finishHistoryRename, planHistoryRenames, storeNewNames } from './history/rename-history.ts'
import type { TargetSession } from './sessions.ts'
import type { RenamedTable } from './table-layout.ts'

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
  noted: Pick<Histories, 'readRenamed'>,
): Promise<RenameResult> {
  const { dialect, session, writer } = context
  const result = await dialect.changeTables(session, writer, async () => {
    const created = await listCreatedTables(context, stream)
    const renamed = renamings.flatMap(({ from, to }) => {
      const name = created.find(({ sourceName }) => sourceName === from)?.name
      return name === undefined ? [] : [{ name, stream, from, to, newName: dialect.tableName(to) }]
    })
    for (const { name, newName } of renamed) {
      const isSame = dialect.foldName(name) === dialect.foldName(newName)
      if (!isSame && (await dialect.isNameTaken(session, newName, { connectorId: writer.connectorId, stream })))
        return { outcome: 'taken' as const, name: newName }
    }
    const histories = await planHistoryRenames(context, renamed)
    for (const history of histories) await storeNewNames(context, history)
    const all = [...renamed, ...histories.map(({ renamed: table }) => table)]
    await dialect.renameTables(session, writer, all, async () => {
      for (const history of histories) await finishHistoryRename(context, history)
    })
    return { outcome: 'done' as const }
  })
  await noted.readRenamed(context, stream)
  return result
}

/** Renames within a transaction, for databases that can undo DDL. */
export async function renameInTransaction(
  { tables, freshness }: SystemTables,
  session: TargetSession,
  { writer, renamed }: { readonly writer: Writer; readonly renamed: readonly RenamedTable[] },
  rename: (name: string, newName: string) => Promise<void>,
): Promise<void> {
  for (const { name, newName, stream, from, to } of renamed) {
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
