/** One stream of a run: prepare, read on from the checkpoint, compare keys. */
import type { Checkpoint } from '../ports/model.ts'
import { usable, type UsableState } from './checkpoint-validity.ts'
import { type Again, isFinishedBy, planStream } from './plan.ts'
import { readStream } from './read-stream.ts'
import type { Called } from './sync-request.ts'
import { describeChange, lostIn } from './schema-changes.ts'
import { sweepStream } from './key-comparison.ts'
import { Tally } from './stream-counters.ts'
import type { StreamSync } from './stream-context.ts'

export async function syncStream(work: StreamSync): Promise<void> {
  const { target, stream, described, writer } = work
  if (described.fault !== undefined) throw described.fault
  const tally = new Tally(work)
  tally.enter('preparing')
  await prepareStream(work)
  tally.place(calledIn(work))
  const state = usable(work, await target.state(stream))
  reportReadAnew(work, state)
  if (isFinishedBy(writer.runId, state)) tally.again()
  if (isResting(work, state.checkpoint)) return tally.end(state)
  const again = work.from === undefined ? {} : { again: await askAgain(work, work.from) }
  const plan = planStream({ stream, state, wish: work.wish, ...again, runId: writer.runId, now: work.clock.now() })
  if (plan.kind === 'read') await readStream(work, plan, tally)
  work.signal.throwIfAborted()
  const isFresh = plan.kind === 'read' && plan.mode.kind === 'replace' && !plan.mode.resume
  if (!isFresh) await sweepStream(work, tally)
  tally.end(await target.state(stream))
}

function reportReadAnew({ stream: { name }, tell }: StreamSync, { isElsewhere, isRedefined }: UsableState): void {
  if (isElsewhere)
    tell(`${name}: its rows are of another company or database. All of it is read, and takes their place.`)
  else if (isRedefined) tell(`${name}: its definition has changed at the source. All of it is read once more.`)
}

/** What is asked for by itself, from a date or in full does not rest. */
function isResting({ source, described, wish, from, streams }: StreamSync, checkpoint: Checkpoint | null): boolean {
  if (wish === 'full' || from !== undefined || streams?.length === 1 || checkpoint === null) return false
  return source.rests?.(described, checkpoint) === true
}

async function prepareStream({ target, stream, described, schema, hasCompleted, tell }: StreamSync): Promise<void> {
  const lost = await lostIn(target, described)
  const made = (await target.prepare(stream)).filter(({ column }) => column !== null || hasCompleted)
  const changes = [...made, ...lost.map(({ table, column, before, after }) => ({ table, column, before, after }))]
  for (const change of changes) tell(describeChange(change))
  if (changes.length > 0) schema?.found(stream.name, changes, 'applied')
}

/** Names that nobody would find in the target by those of the source are told. */
function calledIn({ target, stream, tell }: StreamSync): Called {
  const columns = target.renamedColumns(stream)
  if (columns.length > 0)
    tell(
      `${stream.name}: not every column keeps its name in the target. ${columns.map(({ column, name }) => `‘${column}’ is called ‘${name}’ there.`).join(' ')}`,
    )
  return { table: target.nameOf(stream), columns }
}

async function askAgain({ source, described }: StreamSync, moment: Date): Promise<Again> {
  return { moment: moment.getTime(), checkpoint: (await source.checkpointAt?.(described, moment)) ?? null }
}
