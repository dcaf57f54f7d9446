/** Removes old row versions. */
import type { HistoryTrim } from '../../../ports/history.ts'
import type { WriterSession } from '../dialect.ts'
import { fencedTransaction } from '../state-store.ts'
import { replaceAsOf } from './as-of.ts'
import type { HistoryTable } from './history-table.ts'

/**
 * Removes the versions that ended until then, except those that were valid at a moment to keep. Where versions were removed, the history
 * begins at that time from then on. Returns how many.
 */
export async function trimHistory(
  context: WriterSession,
  tables: readonly HistoryTable[],
  { before, keep }: HistoryTrim,
): Promise<number> {
  const { dialect, session, writer } = context
  const { quote } = dialect.facts
  const old = tables.filter(({ since }) => since < before)
  return await fencedTransaction(dialect, session, writer, async () => {
    let removed = 0
    for (const table of old) {
      const { name, names } = table
      const [from, to] = [names.validFrom, names.validTo].map((each) => `h.${quote(each)}`)
      const kept = keep.map(
        (moment) =>
          ` AND NOT (${from} <= ${dialect.momentLiteral(moment)} AND ${to} > ${dialect.momentLiteral(moment)})`,
      )
      const where = `${to} <= ${dialect.momentLiteral(before)}${kept.join('')}`
      const ended = await session.run(dialect.deleteVersions({ history: dialect.qualified(name), join: null, where }))
      if (ended > 0) await replaceAsOf(context, { ...table, since: before })
      removed += ended
    }
    return removed
  })
}
