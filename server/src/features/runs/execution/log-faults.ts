/** Writes why a run, or single tables of it, failed to the log: with the message and code of the server that refused, which people are not shown. */
import type { Fault } from '@tributary/engine/ports/faults'
import type { Log } from '../../../kernel/log/log.ts'
import type { Attempt } from './attempt.ts'
import type { Claim } from './claim-run.ts'
import type { Ending } from './outcome.ts'

type RunIds = Pick<Claim, 'runId' | 'connectorId' | 'organisationId'>

export function logFaults(
  log: Log,
  run: RunIds,
  { ending, streams }: { readonly ending: Ending; readonly streams: Attempt['streams'] },
): void {
  const failed = streams.filter(({ fault }) => isFailure(fault))
  for (const { stream, fault } of failed)
    write(log, 'a table could not be moved', { ...run, stream: stream.name, fault })
  if (ending.kind === 'fault' && isFailure(ending.fault) && failed.length === 0)
    write(log, 'run failed', { ...run, fault: ending.fault })
}

/** A source that has had enough for now has not failed. */
function isFailure(fault: Fault | null): boolean {
  return fault !== null && fault.kind !== 'busy'
}

/** An error of this server is only what lies with it. */
function write(
  log: Log,
  event: string,
  { fault, ...ids }: RunIds & { readonly stream?: string; readonly fault: Fault | null },
): void {
  const fields = { ...ids, ...(fault !== null && { code: fault.code, error: fault }) }
  if (fault?.kind === 'bug') log.error(event, fields)
  else log.warn(event, fields)
}
