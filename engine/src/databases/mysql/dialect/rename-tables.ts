/** Renames tables in MySQL. */
import { renameFreshness } from '../../sql-target/rename-tables.ts'
import { quote } from '../quoting.ts'
import type { MysqlDialect } from './session.ts'
import { commitFenced, statements } from './statements.ts'

/**
 * RENAME commits and cannot be undone, so both names are claimed while it runs: after a run that was cut off, the name counts whose table
 * exists.
 */
export const renameTables: MysqlDialect['renameTables'] = async (session, writer, renamed, finish) => {
  for (const { to, newName, stream } of renamed)
    await session.run('REPLACE INTO tributary_table (name, connector, stream, source_name) VALUES (?, ?, ?, ?)', [
      newName,
      writer.connectorId,
      stream,
      to,
    ])
  await commitFenced(session, writer)
  const moved = renamed.filter(({ name, newName }) => name !== newName)
  const renames = moved.map(({ name, newName }) => `${quote(name)} TO ${quote(newName)}`)
  if (renames.length > 0) await session.run(`RENAME TABLE ${renames.join(', ')}`)
  for (const { name, newName } of moved) {
    await session.run('DELETE FROM tributary_table WHERE name = ?', [name])
    await renameFreshness(statements.systemTables, session, { name, newName })
  }
  await finish()
  await commitFenced(session, writer)
}
