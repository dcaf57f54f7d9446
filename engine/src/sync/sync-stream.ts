/** One stream of a run: prepare, read on from the checkpoint, compare keys. */
import type { Checkpoint } from '../ports/model.ts'
import { validateState, type ValidatedState } from './checkpoint-validity.ts'
import { type RereadFrom, isFinishedBy, planStream } from './plan.ts'
import { readStream } from './read-stream.ts'
import type { TargetNames } from './sync-request.ts'
import { describeChange, findRemovedInTarget } from './schema-changes.ts'
import { compareStreamKeys } from './key-comparison.ts'
import { StreamCounters } from './stream-counters.ts'
import type { StreamContext } from './stream-context.ts'

export async function syncStream(work: StreamContext): Promise<void> {
  const { target, stream, described, writer } = work
  if (described.fault !== undefined) throw described.fault
  const tally = new StreamCounters(work)
  tally.enterPhase('preparing')
  await prepareStream(work)
  tally.setTargetNames(resolveTargetNames(work))
  const state = validateState(work, await target.state(stream))
  logFullReread(work, state)
  if (isFinishedBy(writer.runId, state)) tally.markAlreadyFinished()
  if (isSkipped(work, state.checkpoint)) return tally.finish(state)
  const reread = work.changedSince === undefined ? {} : { reread: await findRereadStart(work, work.changedSince) }
  const plan = planStream({
    stream,
    state,
    syncMode: work.syncMode,
    ...reread,
    runId: writer.runId,
    now: work.clock.now(),
  })
  if (plan.kind === 'read') await readStream(work, plan, tally)
  work.signal.throwIfAborted()
  const isFresh = plan.kind === 'read' && plan.mode.kind === 'replace' && !plan.mode.resume
  if (!isFresh) await compareStreamKeys(work, tally)
  tally.finish(await target.state(stream))
}

function logFullReread({ stream: { name }, log }: StreamContext, { isOtherOrigin, isRedefined }: ValidatedState): void {
  if (isOtherOrigin)
    log(`${name}: its rows are of another company or database. All of it is read, and takes their place.`)
  else if (isRedefined) log(`${name}: its definition has changed at the source. All of it is read once more.`)
}

/** What is asked for by itself, from a date or in full does not rest. */
function isSkipped(
  { source, described, syncMode, changedSince, streams }: StreamContext,
  checkpoint: Checkpoint | null,
): boolean {
  if (syncMode === 'full' || changedSince !== undefined || streams?.length === 1 || checkpoint === null) return false
  return source.isFreshEnough?.(described, checkpoint) === true
}

async function prepareStream({
  target,
  stream,
  described,
  schemaRules,
  hasCompleted,
  log,
}: StreamContext): Promise<void> {
  const lost = await findRemovedInTarget(target, described)
  const made = (await target.prepare(stream)).filter(({ column }) => column !== null || hasCompleted)
  const changes = [...made, ...lost.map(({ table, column, before, after }) => ({ table, column, before, after }))]
  for (const change of changes) log(describeChange(change))
  if (changes.length > 0) schemaRules?.reportChanges(stream.name, changes, 'applied')
}

/** Names that nobody would find in the target by those of the source are told. */
function resolveTargetNames({ target, stream, log }: StreamContext): TargetNames {
  const columns = target.renamedColumns(stream)
  if (columns.length > 0)
    log(
      `${stream.name}: not every column keeps its name in the target. ${columns.map(({ column, name }) => `‘${column}’ is called ‘${name}’ there.`).join(' ')}`,
    )
  return { table: target.tableNameOf(stream), columns }
}

async function findRereadStart({ source, described }: StreamContext, moment: Date): Promise<RereadFrom> {
  return { moment: moment.getTime(), checkpoint: (await source.checkpointAt?.(described, moment)) ?? null }
}
