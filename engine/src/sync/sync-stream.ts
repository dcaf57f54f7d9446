/** Syncs one stream of a run: prepares its tables, reads from the checkpoint, compares keys. */
import { asFault } from '../ports/faults.ts'
import type { Checkpoint } from '../ports/model.ts'
import { validateState, type ValidatedState } from './checkpoint-validity.ts'
import { isFinishedBy, planStream } from './plan.ts'
import { maySkip } from './skipped-streams.ts'
import { readStream } from './read-stream.ts'
import { findRereadStart } from './reread-start.ts'
import type { TargetNames } from './sync-request.ts'
import { describeChange, findRemovedInTarget } from './schema-changes.ts'
import { compareStreamKeys } from './key-comparison.ts'
import { syncCompanies } from './sync-companies.ts'
import { writeStreamComments } from './stream-comments.ts'
import { StreamCounters } from './stream-counters.ts'
import type { StreamContext } from './stream-context.ts'

export async function syncStream(context: StreamContext): Promise<void> {
  const { target, stream, described } = context
  if (described.fault !== undefined) throw described.fault
  const counters = new StreamCounters(context)
  counters.enterPhase('preparing')
  await prepareStream(context)
  const names = resolveTargetNames(context)
  counters.setTargetNames(names)
  const state = validateState(context, await target.state(stream))
  logFullReread(context, state)
  const { companies } = context.source
  const isSynced =
    companies !== undefined && described.isByCompany === true
      ? await syncCompanies({ ...context, companies }, counters)
      : await syncWhole(context, counters, state)
  if (isSynced) await concludeStream(context, counters, names)
  counters.finish(await target.state(stream))
}

/** @returns false if the source has skipped the stream */
async function syncWhole(context: StreamContext, counters: StreamCounters, state: ValidatedState): Promise<boolean> {
  const { stream, writer } = context
  if (isFinishedBy(writer.runId, state)) counters.markAlreadyFinished()
  if (maySkip(context) && isFreshEnough(context, state.checkpoint)) return false
  const reread = await findRereadStart(context)
  const plan = planStream({
    stream,
    state,
    syncMode: context.syncMode,
    ...(reread !== null && { reread }),
    runId: writer.runId,
    now: context.clock.now(),
  })
  if (plan.kind === 'read') await readStream(context, plan, counters)
  context.signal.throwIfAborted()
  const isFresh = plan.kind === 'read' && plan.mode.kind === 'replace' && !plan.mode.resume
  if (!isFresh) await compareStreamKeys(context, counters)
  return true
}

async function concludeStream(context: StreamContext, counters: StreamCounters, names: TargetNames): Promise<void> {
  await trimHistory(context)
  await writeStreamComments(context)
  counters.setTargetNames({ ...names, sizes: await measureTables(context) })
}

function logFullReread(
  { stream: { name }, log }: StreamContext,
  { isOtherOrigin, hasOtherRules, isRedefined }: ValidatedState,
): void {
  if (isOtherOrigin)
    log(`${name}: its rows are of another company or database. All of it is read, and takes their place.`)
  else if (hasOtherRules)
    log(`${name}: its filter or its masks have changed. All of it is read and compared with the rows in the target.`)
  else if (isRedefined) log(`${name}: its definition has changed at the source. All of it is read once more.`)
}

function isFreshEnough({ source, described }: StreamContext, checkpoint: Checkpoint | null): boolean {
  return checkpoint !== null && source.isFreshEnough?.(described, checkpoint) === true
}

async function prepareStream({
  target,
  stream,
  described,
  schemaRules,
  keepsHistory,
  hasCompleted,
  log,
}: StreamContext): Promise<void> {
  const removed = await findRemovedInTarget(target, described)
  const history = keepsHistory === undefined ? undefined : keepsHistory(stream.name) ? 'on' : 'off'
  const applied = (await target.prepare(stream, history)).filter(({ column }) => column !== null || hasCompleted)
  const changes = [...applied, ...removed.map(({ table, column, before, after }) => ({ table, column, before, after }))]
  for (const change of changes) log(describeChange(change))
  if (changes.length > 0) schemaRules?.reportChanges(stream.name, changes, 'applied')
}

async function trimHistory({ target, stream, trimsHistory, log }: StreamContext): Promise<void> {
  const trim = trimsHistory?.(stream.name) ?? null
  if (trim === null) return
  const removed = await target.trimHistory(stream, trim)
  if (removed > 0) log(`${stream.name}: ${removed} row versions that ended before ${trim.before} were removed.`)
}

/** For people only, so a failure does not fail the run. */
async function measureTables({ target, stream, log }: StreamContext): Promise<TargetNames['sizes']> {
  try {
    return await target.measureTables(stream)
  } catch (error) {
    log(`${stream.name}: its size in the target could not be measured. ${asFault(error).notice}`)
    return []
  }
}

/** Returns the stream's names in the target and logs the columns that have another one. */
function resolveTargetNames({ target, stream, log }: StreamContext): TargetNames {
  const columns = target.renamedColumns(stream)
  if (columns.length > 0)
    log(
      `${stream.name}: not every column keeps its name in the target. ${columns.map(({ column, name }) => `‘${column}’ is called ‘${name}’ there.`).join(' ')}`,
    )
  return {
    table: target.tableNameOf(stream),
    columns,
    tables: target.preparedTables(stream),
    histories: target.histories(stream),
    sizes: [],
  }
}
