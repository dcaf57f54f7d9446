/**
 * The cut-off of a run: the moment that its row versions are valid from. A run has one for all its streams and attempts. Cut-offs of a connector
 * only grow, even if clocks are wrong.
 */
import type { WriterSession } from '../dialect.ts'
import { toMoment } from '../../../ports/history.ts'
import { fencedTransaction } from '../state-store.ts'

/** One microsecond later. */
function momentAfter(moment: string): string {
  const micros = BigInt(Date.parse(`${moment.slice(0, 23)}Z`)) * 1_000n + BigInt(moment.slice(23, 26)) + 1n
  return `${new Date(Number(micros / 1_000n)).toISOString().slice(0, 23)}${String(micros % 1_000n).padStart(3, '0')}Z`
}

export interface CutOff {
  readonly moment: string
  /** Whether an earlier attempt of the run has fixed it. */
  readonly isRetry: boolean
}

/** Fixed by the first attempt of a run. Stored durably before anything is written with it. */
export async function fixCutOff(context: WriterSession, now: number): Promise<CutOff> {
  const { dialect, session, writer } = context
  const { cutOffs } = dialect.systemTables
  return await fencedTransaction(dialect, session, writer, async () => {
    const [own] = await session.rows(`SELECT cut_off FROM ${cutOffs} WHERE connector = ? AND run_id = ?`, [
      writer.connectorId,
      writer.runId,
    ])
    if (own !== undefined) return { moment: String(own[0]), isRetry: true }
    const [last] = await session.rows(`SELECT MAX(cut_off) FROM ${cutOffs} WHERE connector = ?`, [writer.connectorId])
    const latest = last?.[0] ?? null
    const moment = toMoment(now)
    const cutOff = latest === null || latest < moment ? moment : momentAfter(latest)
    await session.run(`INSERT INTO ${cutOffs} (connector, run_id, cut_off) VALUES (?, ?, ?)`, [
      writer.connectorId,
      writer.runId,
      cutOff,
    ])
    return { moment: cutOff, isRetry: false }
  })
}
