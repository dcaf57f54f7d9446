/**
 * Views that belong to a connector. Their names are claimed in the table of tables like those of tables, so that a view
 * or table of a user, or of another connector, is never replaced or dropped.
 */
import { createHash } from 'node:crypto'
import type { DefinedView } from '../../ports/owned-view.ts'
import type { WriterSession } from './dialect.ts'
import { fencedTransaction } from './state-store.ts'

/** In place of the name of a stream. The digest of the view's definition follows. */
const claimPrefix = 'tributary view '

/** Whether the stream that the table of tables names stands for a view of a connector. */
export function isViewClaim(stream: string): boolean {
  return stream.startsWith(claimPrefix)
}

interface ViewStatements {
  readonly name: string
  readonly select: string
  /** The SELECT without other views. */
  readonly definition: string
}

export async function defineOwnedView(
  context: WriterSession,
  { name, select, definition }: ViewStatements,
): Promise<DefinedView> {
  const { dialect, session, writer } = context
  const viewName = dialect.viewName(name)
  const claim = `${claimPrefix}${createHash('sha256').update(definition).digest('hex').slice(0, 32)}`
  const holder = await readClaim(context, viewName)
  const exists = await dialect.relationExists(session, viewName)
  if (holder === undefined ? exists : holder.connector !== writer.connectorId || !isViewClaim(holder.stream))
    return 'taken'
  if (exists && holder?.stream === claim) return 'unchanged'
  // Claimed first, because some databases commit DDL: the next run then finds a view that was cut off.
  if (holder === undefined)
    await fencedTransaction(dialect, session, writer, () =>
      session.run(
        `INSERT INTO ${dialect.systemTables.tables} (name, connector, stream, source_name) VALUES (?, ?, ?, ?)`,
        [viewName, writer.connectorId, claimPrefix, name],
      ),
    )
  await dialect.replaceView(session, viewName, select)
  await fencedTransaction(dialect, session, writer, () =>
    session.run(`UPDATE ${dialect.systemTables.tables} SET stream = ? WHERE name = ?`, [claim, viewName]),
  )
  return 'defined'
}

/** The source's names of the views that this connector owns. */
export async function listOwnedViews({ dialect, session, writer }: WriterSession): Promise<readonly string[]> {
  const found = await session.rows(
    `SELECT source_name FROM ${dialect.systemTables.tables} WHERE connector = ? AND stream LIKE '${claimPrefix}%' ORDER BY source_name`,
    [writer.connectorId],
  )
  return found.map(([name]) => name ?? '')
}

/** Drops a view that this connector owns; anything else of that name stays. */
export async function dropOwnedView(context: WriterSession, name: string): Promise<void> {
  const { dialect, session, writer } = context
  const viewName = dialect.viewName(name)
  const holder = await readClaim(context, viewName)
  if (holder?.connector !== writer.connectorId || !isViewClaim(holder.stream)) return
  await dialect.dropView(session, viewName)
  await fencedTransaction(dialect, session, writer, () =>
    session.run(`DELETE FROM ${dialect.systemTables.tables} WHERE name = ?`, [viewName]),
  )
}

async function readClaim({ dialect, session }: WriterSession, viewName: string) {
  const [row] = await session.rows(`SELECT connector, stream FROM ${dialect.systemTables.tables} WHERE name = ?`, [
    viewName,
  ])
  return row === undefined ? undefined : { connector: row[0] ?? '', stream: row[1] ?? '' }
}
