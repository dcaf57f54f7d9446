/** Examines closed periods at the end of a run. Faults are part of the result. */
import { describeDatedTable, settingsFault } from '../closed-periods/dated-table.ts'
import { examine } from '../closed-periods/examine.ts'
import type { ClosedPeriodDefinition, ClosedPeriodExamination, FailedExamination } from '../ports/closed-periods.ts'
import { type CompanyColumn, selectByCompany } from '../ports/company-names.ts'
import { asFault } from '../ports/faults.ts'
import type { Stream } from '../ports/source.ts'
import { FencedError } from '../ports/target.ts'
import { companyColumnOf } from './company-column.ts'
import { streamsOfPlans } from './marked-plans.ts'
import type { ClearedStream } from './schema-changes.ts'
import type { ClosedPeriodWatch, StreamOutcome, SyncRunRequest } from './sync-request.ts'

/**
 * Null if closed periods are not watched, or this run did not move all required streams: a later run then examines from the same
 * cut-off.
 * @throws FencedError, and the abort reason after an abort
 */
export async function examineClosedPeriods(
  request: SyncRunRequest,
  cleared: readonly ClearedStream[],
  outcomes: ReadonlyMap<string, StreamOutcome>,
): Promise<ClosedPeriodExamination | FailedExamination | null> {
  const { closedPeriods: watch, target, writer, signal, log } = request
  if (watch === undefined || request.streams !== undefined) return null
  const done = cleared.filter(({ stream }) => outcomes.get(stream.name)?.progress.phase === 'done')
  const moved = new Map(done.map(({ stream }) => [stream.name, stream]))
  try {
    requireKnownTable(watch, outcomes)
    const definition = describeLedger(request, watch, done)
    if (definition === null || !definition.requiredStreams.every((name) => moved.has(name))) return null
    const result = await examine({
      target,
      definition,
      moved,
      request: watch,
      runId: writer.runId,
      cutOff: await target.cutOff(),
    })
    if (result.notice !== null) log(`Closed periods: ${result.notice}`)
    log(`Closed periods: ${describeResult(result)}`)
    return result
  } catch (error) {
    if (error instanceof FencedError || signal.aborted) throw error
    const fault = asFault(error)
    log(`Closed periods could not be examined; the next run examines from the same moment. ${fault.notice}`)
    return { version: watch.version, fault }
  }
}

/** Without a fault, an examination of a table that does not exist would never begin. */
function requireKnownTable({ table }: ClosedPeriodWatch, outcomes: ReadonlyMap<string, StreamOutcome>): void {
  if (table === null || outcomes.has(table.stream)) return
  throw settingsFault(
    `The connector moves no table ‘${table.stream}’. Enter its name as under Tables, such as public.invoice.`,
  )
}

function describeLedger(
  { source, target }: SyncRunRequest,
  { definition, table }: ClosedPeriodWatch,
  done: readonly ClearedStream[],
): ClosedPeriodDefinition | null {
  const companies = companyColumnOf(source)
  if (definition !== null) return companies === null ? definition : closedPeriodsByCompany(definition, companies)
  if (table === null) return null
  const stream = done.find((each) => each.stream.name === table.stream)?.stream
  return stream === undefined ? null : describeDatedTable(target, stream, table)
}

/**
 * The documents of all companies. They have one last closed day in common: the earliest of their lock dates, and none if a company has none.
 */
function closedPeriodsByCompany(definition: ClosedPeriodDefinition, companies: CompanyColumn): ClosedPeriodDefinition {
  const { lockDates } = definition
  const inAll = (column: string): string =>
    `CASE WHEN COUNT(d.${column}) = ${companies.ids.length} THEN MIN(d.${column}) END AS ${column}`
  return {
    ...definition,
    ...(lockDates && {
      lockDates: {
        ...lockDates,
        select: (names) =>
          `SELECT ${inAll('period')}, ${inAll('year_end')} FROM (${selectByCompany(names, companies, (own) => lockDates.select(own))}) AS d`,
      },
    }),
    ledger: (streams) => {
      const { postings, documents, ...ledger } = definition.ledger(streams)
      return {
        ...ledger,
        postings: (names) => selectByCompany(names, companies, postings),
        ...(documents && { documents: (names) => selectByCompany(names, companies, documents) }),
      }
    },
  }
}

function describeResult({ from, closedThrough, changes }: ClosedPeriodExamination): string {
  if (from === null) return 'the examination begins with this run. Changes are listed from the next one.'
  if (closedThrough === null) return 'nothing was closed when the last run was examined.'
  if (changes.length === 0) return `no document dated up to ${closedThrough} has changed.`
  return `${changes.length} ${changes.length === 1 ? 'document' : 'documents'} dated up to ${closedThrough} changed.`
}

/**
 * Adds the tables that closed periods need to those that keep history, and the moments that closed periods and marks need to
 * those whose versions stay.
 */
export function withHistoryOfLedger(request: SyncRunRequest, streams: readonly Stream[]): SyncRunRequest {
  const { closedPeriods: watch, marks = [], keepsHistory, trimsHistory } = request
  if (watch === undefined && marks.length === 0) return request
  const needed =
    watch === undefined
      ? new Set<string>()
      : new Set([...streamsOfLedger(watch, streams), ...streamsOfPlans(request, streams)])
  const moments = [watch?.examinedUpTo, watch?.examinedFrom, ...marks.map(({ moment }) => moment)]
  const keep = moments.filter((moment) => moment !== null && moment !== undefined)
  return {
    ...request,
    ...(watch !== undefined && {
      keepsHistory: (stream: string) => needed.has(stream) || keepsHistory?.(stream) === true,
    }),
    ...(trimsHistory !== undefined && {
      trimsHistory: (stream: string) => {
        const trim = trimsHistory(stream)
        return trim === null ? null : { ...trim, keep: [...trim.keep, ...keep] }
      },
    }),
  }
}

function streamsOfLedger({ definition, table }: ClosedPeriodWatch, streams: readonly Stream[]): ReadonlySet<string> {
  const names = new Set(streams.map(({ name }) => name))
  if (definition !== null) return new Set(definition.ledger(names).streams)
  return new Set(table === null ? [] : [table.stream])
}
