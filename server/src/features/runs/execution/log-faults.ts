/** Logs why a run or single tables failed, with the server's own message and code, which users do not see. */
import type { Fault } from '@tributary/engine/ports/faults'
import type { Log } from '../../../kernel/log/log.ts'
import type { AttemptResult } from './attempt.ts'
import type { RunClaim } from '../claiming/claim-run.ts'
import type { RunEnding } from './outcome.ts'

type RunIds = Pick<RunClaim, 'runId' | 'connectorId' | 'organisationId'>

export function logFaults(
  log: Log,
  run: RunIds,
  { ending, streams }: { readonly ending: RunEnding; readonly streams: AttemptResult['streams'] },
): void {
  const failed = streams.filter(({ fault }) => isFailure(fault))
  for (const { stream, fault } of failed)
    write(log, 'a table could not be moved', { ...run, stream: stream.name, fault })
  if (ending.kind === 'fault' && isFailure(ending.fault) && failed.length === 0)
    write(log, 'run failed', { ...run, fault: ending.fault })
}

/** Logs why what the run moved could not be compared: with the source's own report, or with closed periods. */
export function logFailedComparisons(
  log: Log,
  run: RunIds,
  { tieOut, closedPeriods }: Pick<AttemptResult, 'tieOut' | 'closedPeriods'>,
): void {
  if (tieOut !== null && tieOut.fault !== null)
    log.warn('the tie-out could not be completed', { ...run, error: tieOut.fault })
  if (closedPeriods !== null && 'fault' in closedPeriods)
    log.warn('closed periods could not be examined', { ...run, error: closedPeriods.fault })
}

/** A source that has reached its rate limit has not failed. */
function isFailure(fault: Fault | null): boolean {
  return fault !== null && fault.kind !== 'busy'
}

/** Logs an error only for bugs of this server; other faults are warnings. */
function write(
  log: Log,
  event: string,
  { fault, ...ids }: RunIds & { readonly stream?: string; readonly fault: Fault | null },
): void {
  const fields = { ...ids, ...(fault !== null && { code: fault.code, error: fault }) }
  if (fault?.kind === 'bug') log.error(event, fields)
  else log.warn(event, fields)
}
