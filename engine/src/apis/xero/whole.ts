/** Reads a list whole: it is small, and Xero does not tell what has changed in it. */
import { encodeDocuments } from '../http/documents.ts'
import type { JsonObject } from '../http/exact-json.ts'
import { member, members } from '../http/fields.ts'
import { asText } from '../http/canonical.ts'
import { eachPage } from '../http/pages.ts'
import type { RowBatch, Checkpoint } from '../../ports/model.ts'
import { isNotFound } from './api.ts'
import type { XeroApi } from './api.ts'
import { asDay } from './tables/dates.ts'
import { readPage, rowsOf } from './pages.ts'
import type { BudgetStream, WholeStream } from './tables/declare.ts'

/** A call for each list with each run would be most of the calls of a day. A little less than a day, for runs that come a little early. */
const restMs = 23 * 60 * 60_000

/** Whether it was read not long ago. */
export function isRested(checkpoint: Checkpoint, now: number): boolean {
  const { readAt } = checkpoint
  return typeof readAt === 'number' && now - readAt < restMs
}

export async function* readWhole(api: XeroApi, stream: WholeStream): AsyncGenerator<RowBatch> {
  const readAt = api.clock.now()
  const fetch = async (number: number) => {
    const { rows } = await readPage(api, stream, { number })
    return { number, rows: rows.length, total: null, first: JSON.stringify(rows[0] ?? null), content: rows }
  }
  if (stream.page === undefined) yield* await encodeDocuments(stream.shape, (await fetch(1)).content)
  else
    for await (const { content } of eachPage({ fetch, limit: stream.page, from: 1, total: null }))
      yield* await encodeDocuments(stream.shape, content)
  yield { table: stream.shape.table.name, bytes: new Uint8Array(), rows: 0, checkpoint: { readAt } }
}

/** The list of budgets is without lines, which come one budget at a time. */
export async function* readBudgets(api: XeroApi, stream: BudgetStream): AsyncGenerator<RowBatch> {
  const readAt = api.clock.now()
  const { name, scope, shape } = stream
  for (const listed of rowsOf(await api.ask({ path: name, scope }), stream)) {
    const budget = await findBudget(api, stream, asText(member(listed, 'BudgetID')) ?? '')
    if (budget !== null) yield* await encodeDocuments(shape, [{ ...listed, ...budget, Lines: linesOf(budget) }])
  }
  yield { table: shape.table.name, bytes: new Uint8Array(), rows: 0, checkpoint: { readAt } }
}

/** Null where it has gone since it was listed. */
async function findBudget(api: XeroApi, stream: BudgetStream, id: string): Promise<JsonObject | null> {
  try {
    const answer = await api.ask({ path: `${stream.name}/${encodeURIComponent(id)}`, scope: stream.scope })
    return rowsOf(answer, stream)[0] ?? null
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

/** One line for each account and month; Xero writes a month as `2026-03`. */
function linesOf(budget: JsonObject): JsonObject[] {
  return members(budget, 'BudgetLines').flatMap((line) =>
    members(line, 'BudgetBalances').map((balance) => ({
      AccountID: member(line, 'AccountID'),
      AccountCode: member(line, 'AccountCode'),
      Period: firstDay(asText(member(balance, 'Period')) ?? ''),
      Amount: member(balance, 'Amount'),
      Notes: member(balance, 'Notes'),
    })),
  )
}

function firstDay(period: string): string | null {
  return /^\d{4}-\d\d$/.test(period) ? `${period}-01` : asDay(period)
}
