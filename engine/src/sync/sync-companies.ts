/**
 * Syncs a stream whose rows belong to several companies. Each company has its own checkpoint in that of the stream. One that fails leaves
 * its rows and its checkpoint as they were; where all rows are replaced, its rows are kept.
 */
import { encodeRows } from '../encoding/copy-text.ts'
import {
  companiesCheckpoint,
  companyCheckpoints,
  CompanyInterrupted,
  type CompanyCheckpoints,
  type CompanySet,
  failedCompanies,
} from '../ports/companies.ts'
import { ofCompany } from '../ports/company-names.ts'
import { Fault } from '../ports/faults.ts'
import type { Checkpoint, RowBatch } from '../ports/model.ts'
import type { StreamState } from '../ports/target.ts'
import { validateState, type ValidatedState } from './checkpoint-validity.ts'
import { compareCompanyKeys } from './key-comparison.ts'
import { isMergeable, planStream, type ReadEnd, type StreamReadPlan } from './plan.ts'
import { readStream } from './read-stream.ts'
import { findRereadStart } from './reread-start.ts'
import { maySkip } from './skipped-streams.ts'
import type { StreamContext } from './stream-context.ts'
import type { StreamCounters } from './stream-counters.ts'

export interface CompaniesContext extends StreamContext {
  readonly companies: CompanySet
}

/**
 * False if the source skips the stream to save its rate budget.
 * @throws Fault of the first company if every company that has the stream failed
 */
export async function syncCompanies(context: CompaniesContext, counters: StreamCounters): Promise<boolean> {
  await removeFormerCompanies(context, counters)
  const { stream } = context
  for (;;) {
    try {
      const plan = await planCompanies(context)
      if (plan === 'skip') return false
      if (plan === 'done') counters.markAlreadyFinished()
      else await readCompanies(context, plan, counters)
      context.signal.throwIfAborted()
      const isReplaced = plan !== 'done' && plan.plan.mode.kind === 'replace' && !plan.plan.mode.resume
      if (!isReplaced) await compareCompanyKeys(context, counters)
      return true
    } catch (error) {
      if (!(error instanceof CompanyInterrupted)) throw error
      context.log(`${stream.name}: what was not committed is read again without it.`)
    }
  }
}

/** The rows of companies that are neither read nor kept leave, in all tables of the stream. */
async function removeFormerCompanies(context: CompaniesContext, counters: StreamCounters): Promise<void> {
  const { companies, stream, target } = context
  const { checkpoint } = await target.state(stream)
  const stored = companyCheckpoints(checkpoint)
  const belong = new Set([...companies.chosen.map(({ id }) => id), ...companies.kept])
  const former = [...stored.keys()].filter((id) => !belong.has(id))
  if (former.length === 0) return
  const left = new Map([...stored].filter(([id]) => belong.has(id)))
  // The other rows stay as they were read, so what the checkpoint says about them must stay, too.
  const kept = { ...checkpoint, ...companiesCheckpoint(left, failedCompanies(checkpoint)) }
  const hasKey = stream.table.key.length > 0
  const mode = hasKey ? ({ kind: 'merge' } as const) : ({ kind: 'replace', resume: false } as const)
  await using load = await target.load(stream, mode)
  // Deletions leave views alone. Only a table without a key is replaced, by its other rows.
  if (hasKey) for (const id of former) await load.write(await deletionOf(context, id))
  const part = { column: companies.column, values: former, keepsEnd: true } as const
  const counts = hasKey ? await load.commit(kept) : await load.finish(kept, part)
  counters.addWritten(counts, load, true)
  counters.closeLoad(load)
  context.log(
    `${stream.name}: the rows of ${former.length === 1 ? 'a company that was' : `${former.length} companies that were`} taken off the connector are removed.`,
  )
}

async function deletionOf({ companies, stream, target }: CompaniesContext, id: string): Promise<RowBatch> {
  const { table } = stream
  const [prepared] = target.preparedTables(stream)
  const nameOf = (key: string): string =>
    prepared?.columns[table.columns.findIndex(({ name }) => name === key)]?.name ?? key
  const keys = await target.select((names) => {
    const own = ofCompany(names, companies.column, id)
    return `SELECT ${table.key.map((key) => `k.${names.quote(nameOf(key))}`).join(', ')} FROM ${own.table(table.name)} AS k`
  })
  return { table: table.name, bytes: encodeRows(keys), rows: keys.length, deletes: true }
}

interface CompaniesPlan {
  /** Names the companies to read. */
  readonly plan: StreamReadPlan & Required<Pick<StreamReadPlan, 'companies'>>
  /** Companies with rows that no checkpoint describes. They are replaced before the others are merged. */
  readonly outdated: readonly string[]
  /** The companies with rows in the target. */
  readonly stored: CompanyCheckpoints
}

async function planCompanies(context: CompaniesContext): Promise<CompaniesPlan | 'done' | 'skip'> {
  const { companies, stream, target, syncMode, clock, writer } = context
  const raw = await target.state(stream)
  const state = validateState(context, raw)
  const stored = storedCompanies(raw, state)
  const readable = companies.readable(stream.name).map(({ id }) => id)
  if (readable.length === 0) throw noneReadFault(companies, stream.name)
  const reread = await findRereadStart(context)
  const input = { stream, state, syncMode, runId: writer.runId, now: clock.now() }
  const plan = planStream({ ...input, ...(reread !== null && { reread }) })
  if (plan.kind === 'done') {
    const failed = failedCompanies(raw.checkpoint)
    const retried = readable.filter((id) => failed.includes(id))
    if (retried.length === 0) return 'done'
    return isMergeable(stream)
      ? mergeCompanies(retried, stored, state)
      : { plan: { ...replacement, companies: retried }, outdated: [], stored }
  }
  const due = maySkip(context) ? readable.filter((id) => !isFresh(context, stored, id)) : readable
  if (due.length === 0) return 'skip'
  if (plan.mode.kind === 'replace') return { plan: { ...plan, companies: due }, outdated: [], stored }
  if (plan.keptCheckpoint === undefined) return mergeCompanies(due, stored, state)
  const kept = companiesCheckpoint(stored, failedCompanies(raw.checkpoint))
  return { plan: { ...plan, keptCheckpoint: kept, companies: due }, outdated: [], stored }
}

const replacement = { kind: 'read', mode: { kind: 'replace', resume: false }, since: null } as const

function mergeCompanies(ids: readonly string[], stored: CompanyCheckpoints, state: ValidatedState): CompaniesPlan {
  // Without a valid checkpoint all of them are read from the beginning, and the key comparison finds what left.
  const outdated = state.checkpoint === null ? [] : ids.filter((id) => stored.get(id) === null)
  const plan = { kind: 'read', mode: { kind: 'merge' }, since: companiesCheckpoint(stored), companies: ids } as const
  return { plan, outdated, stored }
}

/** By company: its checkpoint, or null if the stored one does not apply to the stream as it is now. */
function storedCompanies(raw: StreamState, { checkpoint }: ValidatedState): CompanyCheckpoints {
  const stored = companyCheckpoints(raw.checkpoint)
  return checkpoint === null ? new Map([...stored.keys()].map((id) => [id, null])) : stored
}

function isFresh({ source, described }: CompaniesContext, stored: CompanyCheckpoints, id: string): boolean {
  const own = stored.get(id) ?? null
  return own !== null && source.isFreshEnough?.(described, companiesCheckpoint(new Map([[id, own]]))) === true
}

async function readCompanies(
  context: CompaniesContext,
  { plan, outdated, stored }: CompaniesPlan,
  counters: StreamCounters,
): Promise<void> {
  if (outdated.length === 0) return await readStream(context, withEnd(context, plan, stored), counters)
  const first = { ...replacement, companies: outdated }
  await readStream(context, withEnd(context, first, stored, 'keepsEnd'), counters)
  const { checkpoint } = await context.target.state(context.stream)
  const since = companyCheckpoints(checkpoint)
  const rest = { ...plan, since: companiesCheckpoint(since) }
  await readStream(context, withEnd(context, rest, since), counters)
}

/** Ends a read with the checkpoints of the companies that it has completed. The others keep theirs, and their rows. */
function withEnd(
  { companies, stream, syncMode }: CompaniesContext,
  plan: CompaniesPlan['plan'],
  stored: CompanyCheckpoints,
  keepsEnd?: 'keepsEnd',
): StreamReadPlan {
  const end = (reached: Checkpoint | null): ReadEnd => {
    const readable = new Set(companies.readable(stream.name).map(({ id }) => id))
    const completed = plan.companies.filter((id) => readable.has(id))
    if (completed.length === 0) throw noneReadFault(companies, stream.name)
    const failed = companies.chosen.map(({ id }) => id).filter((id) => !readable.has(id))
    const after = companyCheckpoints(reached)
    if (plan.mode.kind === 'merge')
      return { checkpoint: companiesCheckpoint(companyCheckpoints(plan.keptCheckpoint ?? reached), failed) }
    const others = [...stored].filter(([id]) => !completed.includes(id))
    // A full refresh is still owed to a company that failed.
    const owed = (id: string): boolean => syncMode === 'full' && failed.includes(id)
    const checkpoint = companiesCheckpoint(
      new Map([
        ...others.map(([id, own]) => [id, owed(id) ? null : own] as const),
        ...completed.map((id) => [id, after.get(id) ?? {}] as const),
      ]),
      failed,
    )
    const isWhole = others.length === 0 && companies.chosen.every(({ id }) => completed.includes(id))
    if (isWhole && keepsEnd === undefined) return { checkpoint }
    const part = { column: companies.column, values: completed, ...(keepsEnd && { keepsEnd: true as const }) }
    return { checkpoint, part }
  }
  return { ...plan, end }
}

/** The fault of a stream that no company could give. It stops the run only if no company can be read at all. */
function noneReadFault({ chosen, failures }: CompanySet, stream: string): Fault {
  const found = failures()
  const first = found.find((each) => each.stream === null || each.stream === stream)
  if (first === undefined)
    return new Fault('settings', { code: 'companies.none_read', notice: 'No company has it any more.' })
  const isOut = (id: string): boolean => found.some(({ company, stream: of }) => company.id === id && of === null)
  if (chosen.every(({ id }) => isOut(id))) return first.fault
  const { kind, notice } = first.fault
  const own = kind === 'data' || kind === 'bug' ? kind : 'settings'
  return new Fault(own, {
    code: 'companies.none_read',
    notice: `No company could be read. ${notice}`,
    cause: first.fault,
  })
}
