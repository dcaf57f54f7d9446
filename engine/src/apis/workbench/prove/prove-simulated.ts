/** Proves a stream on an API that is generated from its description: equal stamps, late commits, deletions, cuts and kills. */
import { asFault } from '../../../ports/faults.ts'
import type { EntitySetDescription } from '../../described/description/schema-odata.ts'
import type { StreamDescription } from '../../described/description/schema.ts'
import type { SourceDescription } from '../../described/description/source-description.ts'
import { isCompanies } from './simulate-odata.ts'
import { isAccount } from './simulate-rest.ts'
import { Simulation, type SimulationOptions } from './simulation.ts'
import { type Proof, simulatedChecks } from './verdict.ts'

type SimulatedCheck = (typeof simulatedChecks)[number]

export interface SimulatedProofRequest {
  readonly description: SourceDescription
  readonly stream: string
  readonly signal: AbortSignal
}

/** Yields the proofs in order, each as soon as it is known. */
export async function* proveSimulated(request: SimulatedProofRequest): AsyncGenerator<Proof> {
  for (const check of simulatedChecks) {
    request.signal.throwIfAborted()
    yield { stream: request.stream, check, ...(await outcomeOf(request, check)) }
  }
}

async function outcomeOf(
  request: SimulatedProofRequest,
  check: SimulatedCheck,
): Promise<Pick<Proof, 'verdict' | 'why'>> {
  const described = describedStream(request.description, request.stream)
  if (described === undefined) return { verdict: 'notProven', why: 'The description has no such stream.' }
  const obstacle = obstacleTo(request, described, check)
  if (obstacle !== null) return { verdict: 'notProven', why: obstacle }
  try {
    const { difference, words } = await simulate(request, described, check)
    if (difference === null) return { verdict: 'provenSimulated', why: words }
    return { verdict: 'notProven', why: `The rows differ from the records of the simulated API. ${difference}` }
  } catch (error) {
    request.signal.throwIfAborted()
    return { verdict: 'notProven', why: `The read failed: ${asFault(error).notice}` }
  }
}

type Described = StreamDescription | EntitySetDescription

function describedStream(description: SourceDescription, stream: string): Described | undefined {
  return description.engine === 'odata' ? description.sets[stream] : description.streams[stream]
}

type StreamOf = Pick<SimulatedProofRequest, 'description' | 'stream'>

/** Why a check cannot be simulated. */
function obstacleTo(of: StreamOf, stream: Described, check: SimulatedCheck): string | null {
  if (check === 'lateCommits' && latenessOf(stream) === 0)
    return 'overlapSeconds is 0, so a change that is committed late is missed.'
  return check === 'deletes' ? obstacleToDeletes(of, stream) : null
}

function obstacleToDeletes({ description, stream: name }: StreamOf, stream: Described): string | null {
  const { changes, deletes } = stream
  if (isOneRecord(description, name)) return 'The reply is the account or company itself, which is not deleted.'
  if (deletes?.kind === 'never')
    return 'The description says that records are never deleted, which only the API can confirm.'
  const readsGone = description.errors.some(({ verdict }) => verdict === 'skipRecord')
  if (changes?.kind === 'events' && deletes?.kind === 'events' && !readsGone)
    return 'No rule of errors has the verdict skipRecord, so a deleted record cannot be told from a failure.'
  return null
}

function isOneRecord(description: SourceDescription, name: string): boolean {
  if (description.engine === 'odata') return isCompanies(description, name)
  const stream = description.streams[name]
  return stream !== undefined && isAccount(description, stream)
}

/** How late a commit may be: half of the overlap, in milliseconds. */
function latenessOf({ changes }: Pick<Described, 'changes'>): number {
  if (changes?.kind !== 'cursor' && changes?.kind !== 'events') return 60_000
  return Math.min(changes.overlapSeconds * 500, 600_000)
}

interface SimulationResult {
  readonly difference: string | null
  readonly words: string
}

async function simulate(
  request: SimulatedProofRequest,
  described: Described,
  check: SimulatedCheck,
): Promise<SimulationResult> {
  const options = { ...request, ...conditionsOf(request, described, check) }
  await using simulation = await Simulation.start(options)
  const dieAfter = (round: number): number | null => (check === 'kills' ? (deaths[round] ?? null) : null)
  await simulation.run(dieAfter(0))
  for (let round = 1; round <= 5; round += 1) {
    simulation.clock.advance(round === 3 ? 90_000_000 : 3_600_000)
    simulation.trade(check === 'ties' ? 25 : 10)
    await simulation.run(dieAfter(round))
  }
  const difference = await simulation.difference()
  if (check === 'kills' && simulation.kills === 0)
    return { difference: 'No read was long enough to be killed.', words: '' }
  return { difference, words: wordsOf(check, simulation) }
}

/** Batches after which the process of a run is killed, by the number of the run. */
const deaths: readonly (number | null)[] = [7, null, 4, null, 1, null]

type Conditions = Omit<SimulationOptions, keyof SimulatedProofRequest>

function conditionsOf(of: StreamOf, described: Described, check: SimulatedCheck): Conditions {
  const mayDelete = obstacleTo(of, described, 'deletes') === null
  const isLate = check === 'lateCommits' || check === 'kills'
  const isTied = check === 'ties'
  const hasDetails = 'detail' in described && described.detail !== undefined
  return {
    seed: 7 + simulatedChecks.indexOf(check),
    lateMs: isLate ? latenessOf(described) : 0,
    ties: isTied,
    // A page with its details has many calls, each of which may fail and be repeated.
    moves: isTied ? 0 : hasDetails ? 0.05 : 0.2,
    deletes: !isTied && mayDelete,
    faults: check === 'cuts' ? 0.3 : 0,
  }
}

function wordsOf(check: SimulatedCheck, { kills, count }: Simulation): string {
  const rows = `${count} records were equal after 6 runs`
  switch (check) {
    case 'ties':
      return `${rows}, with equal stamps over the edges of pages.`
    case 'lateCommits':
      return `${rows}, with changes that were committed late and while pages were read.`
    case 'deletes':
      return `${rows}, with records that were deleted between reads and while pages were read.`
    case 'cuts':
      return `${rows}, with refusals, half replies and cut connections.`
    case 'kills':
      return `${rows}, of which ${kills} lost their process: it was killed (SIGKILL) while it wrote, and another one continued at the stored checkpoint.`
  }
}
