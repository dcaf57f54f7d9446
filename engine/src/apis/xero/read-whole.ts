/** Reads a list whole, because it is small and Xero does not report its changes. */
import { encodeDocuments } from '../http/documents.ts'
import type { JsonObject } from '../http/exact-json.ts'
import { readMember, readMembers } from '../http/fields.ts'
import { asText } from '../http/canonical-text.ts'
import { readPages } from '../http/pagination.ts'
import { type Checkpoint, checkpointBatch, type RowBatch } from '../../ports/model.ts'
import { isNotFound, type XeroApi } from './api.ts'
import { asDay } from './tables/dates.ts'
import { readPage, rowsOf } from './read-page.ts'
import type { BudgetStream, WholeStream } from './tables/stream-kinds.ts'

/**
 * Reading every list in each run would use most of the daily calls. A little less than a day, for runs that start
 * early.
 */
const rereadAfterMs = 23 * 60 * 60_000

/** True if the list was read within the last day. */
export function wasReadToday(checkpoint: Checkpoint, now: number): boolean {
  const { readAt } = checkpoint
  return typeof readAt === 'number' && now - readAt < rereadAfterMs
}

export async function* readWhole(api: XeroApi, stream: WholeStream): AsyncGenerator<RowBatch> {
  const readAt = api.clock.now()
  const fetch = async (number: number) => {
    const { rows } = await readPage(api, stream, { number })
    return { number, rows: rows.length, total: null, marker: JSON.stringify(rows[0] ?? null), content: rows }
  }
  if (stream.page === undefined) yield* await encodeDocuments(stream.shape, (await fetch(1)).content)
  else
    for await (const { content } of readPages({ fetch, limit: stream.page, from: 1, total: null }))
      yield* await encodeDocuments(stream.shape, content)
  yield checkpointBatch(stream.shape, { readAt })
}

/** The list of budgets has no lines; they take one call per budget. */
export async function* readBudgets(api: XeroApi, stream: BudgetStream): AsyncGenerator<RowBatch> {
  const readAt = api.clock.now()
  for (const listed of await listBudgets(api, stream)) {
    const budget = await readBudget(api, stream, listed)
    if (budget !== null) yield* await encodeDocuments(stream.shape, [budget])
  }
  yield checkpointBatch(stream.shape, { readAt })
}

export async function listBudgets(api: XeroApi, stream: BudgetStream): Promise<readonly JsonObject[]> {
  return rowsOf(await api.get({ path: stream.name, scope: stream.scope }), stream)
}

/** A listed budget with its lines; null if it was deleted since it was listed. */
export async function readBudget(api: XeroApi, stream: BudgetStream, listed: JsonObject): Promise<JsonObject | null> {
  const budget = await findBudget(api, stream, asText(readMember(listed, 'BudgetID')) ?? '')
  return budget === null ? null : { ...listed, ...budget, Lines: linesOf(budget) }
}

async function findBudget(api: XeroApi, stream: BudgetStream, id: string): Promise<JsonObject | null> {
  try {
    const answer = await api.get({ path: `${stream.name}/${encodeURIComponent(id)}`, scope: stream.scope })
    return rowsOf(answer, stream)[0] ?? null
  } catch (error) {
    if (isNotFound(error)) return null
    throw error
  }
}

/** One line per account and month. Xero writes a month as `2026-03`. */
function linesOf(budget: JsonObject): JsonObject[] {
  return readMembers(budget, 'BudgetLines').flatMap((line) =>
    readMembers(line, 'BudgetBalances').map((balance) => ({
      AccountID: readMember(line, 'AccountID'),
      AccountCode: readMember(line, 'AccountCode'),
      Period: firstDay(asText(readMember(balance, 'Period')) ?? ''),
      Amount: readMember(balance, 'Amount'),
      Notes: readMember(balance, 'Notes'),
    })),
  )
}

function firstDay(period: string): string | null {
  return /^\d{4}-\d\d$/.test(period) ? `${period}-01` : asDay(period)
}
