/** Offers a completed run to the set that publishes it. A failed offer does not make the run fail: the publication stays as it is. */
import { asFault } from '../ports/faults.ts'
import type { PublishableView } from '../ports/publication.ts'
import { missingStreams } from '../ports/questions.ts'
import { FencedError } from '../ports/target.ts'
import type { OfferOutcome, StreamOutcome, SyncRunRequest } from './sync-request.ts'

/** @throws FencedError, and the abort reason after an abort */
export async function offerRun(
  request: SyncRunRequest,
  outcomes: ReadonlyMap<string, StreamOutcome>,
): Promise<OfferOutcome | null> {
  const { target, publicationSet, streams: wanted, signal, log } = request
  if (publicationSet === undefined || wanted !== undefined) return null
  try {
    // Tables that a run prepares for itself, such as the one of the tie-out, have no history.
    const streams = new Set(outcomes.keys())
    await target.offerPublication(publicationSet, { streams, views: await publishableViews(request, streams) })
    return { outcome: 'offered', moment: await target.cutOff() }
  } catch (error) {
    if (error instanceof FencedError || signal.aborted) throw error
    const { notice } = asFault(error)
    log(`This run cannot be published, so the publication stays as it is. ${notice}`)
    return { outcome: 'failed', notice }
  }
}

/** The views of the ledger if a tie-out creates them, and those of the ready questions that the connector has. */
async function publishableViews(
  { source, target, clock }: SyncRunRequest,
  streams: ReadonlySet<string>,
): Promise<readonly PublishableView[]> {
  const { questions: set, tieOut } = source
  if (set === undefined) return []
  const hasLedger = tieOut?.requiredStreams.every((name) => streams.has(name)) === true
  const owned = new Set(await target.listOwnedViews())
  const questions = set.questions.filter((each) => owned.has(each.name) && missingStreams(each, streams).length === 0)
  const context = { streams, now: clock.now() }
  return [
    ...(hasLedger ? set.ledgerViews(streams) : []),
    ...questions.map((each): PublishableView => ({
      name: each.name,
      select: (names) => each.select(names, context),
    })),
  ]
}
