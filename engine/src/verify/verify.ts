/** Verification: whether the rows in a target are those of the source, value by value. */
import { asFault } from '../ports/faults.ts'
import type { Stream } from '../ports/source.ts'
import { FencedError } from '../ports/target.ts'
import type { StreamVerification, VerifyRequest } from '../ports/verification.ts'
import { verifyBySample } from './sample-stream.ts'
import { type Budget, emptyVerification, verifyByChecksums } from './verify-stream.ts'

/**
 * Verifies the streams one after the other and reports each. A stream that cannot be verified is reported as failed; streams that the
 * budget does not reach are not reported.
 * @throws FencedError if a newer writer has taken over, and the abort reason after an abort
 */
export async function verify(request: VerifyRequest): Promise<void> {
  const { source, target, writer, streams: wanted, clock, signal } = request
  signal.throwIfAborted()
  await target.begin(writer)
  const budget: Budget | null =
    request.budget === undefined ? null : { rows: request.budget.rows, endsAt: clock.now() + request.budget.ms }
  const offered = await source.streams()
  const streams =
    wanted === undefined ? offered : wanted.flatMap((name) => offered.find((each) => each.name === name) ?? [])
  for (const stream of streams) {
    signal.throwIfAborted()
    if (budget !== null && (budget.rows <= 0 || clock.now() >= budget.endsAt)) return
    if ((request.callsLeft?.() ?? 1) <= 0) return
    request.report(withFilter(stream, await attempt(request, stream, budget)))
  }
}

/** What was verified must not be taken for all rows of the source. */
function withFilter({ filteredTo }: Stream, verification: StreamVerification): StreamVerification {
  if (filteredTo === undefined) return verification
  const { notice } = verification
  return { ...verification, notice: notice === null ? filteredTo : `${filteredTo} ${notice}` }
}

async function attempt(request: VerifyRequest, stream: Stream, budget: Budget | null): Promise<StreamVerification> {
  const { source, clock, signal, log } = request
  const method = source.verifiedTable === undefined ? 'sample' : 'checksums'
  try {
    if (stream.fault !== undefined) throw stream.fault
    const open = source.verifiedTable?.bind(source)
    if (open !== undefined) return await verifyByChecksums({ request, stream, budget }, open)
    return await verifyBySample(request, stream)
  } catch (error) {
    if (error instanceof FencedError || signal.aborted) throw error
    const { notice } = asFault(error)
    log(`${stream.name} could not be verified. ${notice}`)
    return { ...emptyVerification(stream, stream.table.name, new Date(clock.now())), method, outcome: 'failed', notice }
  }
}
