/** Removes old row versions, and clears values of a person from all of them. */
import { Fault } from '../../../ports/faults.ts'
import type { HistoryRedaction, HistoryTrim } from '../../../ports/history.ts'
import type { WriterSession } from '../dialect.ts'
import { fencedTransaction } from '../state-store.ts'
import { replaceAsOf } from './as-of.ts'
import { type HistoryTable, nameInHistory } from './history-table.ts'

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

/** Sets columns to NULL in every version that has the value. Returns in how many. @throws Fault `settings` for a column that must stay */
export async function redactHistory(
  { dialect, session, writer }: WriterSession,
  history: HistoryTable,
  { column, value, clear }: HistoryRedaction,
): Promise<number> {
  const { quote } = dialect.facts
  for (const name of [column, ...clear]) mustHave(history, name)
  const isNeeded = (name: string): boolean => history.of.key.includes(name) || history.of.parentKey.includes(name)
  const fixed = clear.filter(isNeeded)
  if (fixed.length > 0)
    throw new Fault('settings', {
      code: 'engine.history_key',
      notice: `${fixed.map((name) => `‘${name}’`).join(', ')} identifies the rows of ‘${history.of.name}’, so it cannot be erased. Choose other columns.`,
    })
  const set = clear.map((name) => `${quote(nameInHistory(history, name))} = NULL`).join(', ')
  const where = `${dialect.asText(quote(nameInHistory(history, column)))} = ${dialect.textLiteral(value)}`
  return await fencedTransaction(dialect, session, writer, () =>
    session.run(`UPDATE ${dialect.qualified(history.name)} SET ${set} WHERE ${where}`),
  )
}

function mustHave({ of }: HistoryTable, name: string): void {
  if (of.columns.some((column) => column.name === name)) return
  throw new Fault('settings', {
    code: 'engine.history_column',
    notice: `The table ‘${of.name}’ has no column ‘${name}’. Choose one of its columns.`,
  })
}
