/**
 * Comments of tables and columns in a target. A comment that Tributary has written ends with a mark that contains a checksum of its text.
 * Any other comment was written or changed by a user or another program, and stays as it is.
 */
import { createHash } from 'node:crypto'
import { commentMark } from '../../ports/model.ts'
import type { CommentTexts } from '../../ports/target.ts'
import type { CommentLimits, Comments } from './comment-limits.ts'
import type { WriterSession } from './dialect.ts'
import type { StreamTables, TargetTable } from './table-layout.ts'

/** Writes the comments that differ. Runs only while this writer owns the connector. */
export async function writeComments(
  { dialect, session, writer }: WriterSession,
  tables: StreamTables,
  texts: CommentTexts,
): Promise<void> {
  for (const target of tables) {
    const changed = changedComments(target, await dialect.readComments(session, target), texts, dialect.commentLimits)
    if (changed.size === 0) continue
    await dialect.changeTables(session, writer, () => dialect.setComments(session, target, changed))
  }
}

/** The comments to write, by column. Those of users and other programs stay. */
export function changedComments(
  target: TargetTable,
  existing: Comments,
  texts: CommentTexts,
  limits: CommentLimits,
): Comments {
  const changed = new Map<string, string>()
  for (const column of ['', ...target.columns.map(({ name }) => name)]) {
    const before = existing.get(column) ?? ''
    if (before !== '' && !isMarked(before)) continue
    const text = texts(target.name, column === '' ? null : column)
    const wanted = marked(text, column === '' ? limits.table : limits.column, limits.allowed)
    if (wanted !== before) changed.set(column, wanted)
  }
  return changed
}

const markLength = ' [Tributary 00000000]'.length

/** An empty text stays empty: it removes a comment. */
export function marked(text: string, max: number, allowed: (text: string) => string = (whole) => whole): string {
  const storable = allowed(text.toWellFormed().replaceAll('\u0000', '')).trim()
  if (storable === '') return ''
  const room = max - markLength
  const cut = storable.length > room ? `${storable.slice(0, room - 1).toWellFormed()}…` : storable
  return `${cut} [Tributary ${checksum(cut)}]`
}

function isMarked(comment: string): boolean {
  const [mark, sum] = commentMark.exec(comment) ?? []
  return mark !== undefined && checksum(comment.slice(0, -mark.length)) === sum
}

function checksum(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 8)
}
