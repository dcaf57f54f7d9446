/** 'Test connection': opens both sides with what the form holds and tells what each finds, within a bounded time. */
import type { CheckResult as WireResult } from '@tributary/contract/connectors'
import type { Camel } from '@tributary/contract/wire'
import { asFault } from '@tributary/engine/faults'
import type { CheckResult } from '@tributary/engine/settings'
import type { Properties, Surroundings } from '@tributary/engine/source'
import type { Parts } from '../../platform/parts.ts'
import { reachWarehouse } from '../../platform/warehouse-server.ts'
import type { Accepted } from './settings.ts'

type Result = Camel<WireResult>
type Side = Result['side']

const timeMaxMs = 15_000
/** A form that tests connections is also a way to look for open doors, so it is not for haste. */
export const checkLimit = { kind: 'connection test', free: 20, waitMs: 10_000, waitMaxMs: 600_000, windowMs: 3_600_000 }

/** @param signal aborts when the caller goes away. */
export async function checkConnection(parts: Parts, { source, target, properties }: Accepted, signal: AbortSignal): Promise<Result[]> {
  const around = surroundings(parts, signal)
  const sides = await Promise.all([
    checkSide('source', parts, around, async () => checkEnd(source, properties, around)),
    checkSide('target', parts, around, async () =>
      target === null ? [await checkWarehouse(parts)] : checkEnd(target, properties, around),
    ),
  ])
  return sides.flat()
}

function surroundings({ network, clock }: Parts, signal: AbortSignal): Surroundings {
  return { network, clock, signal: AbortSignal.any([signal, AbortSignal.timeout(timeMaxMs)]) }
}

interface End<Settings> {
  parse(properties: Properties): Settings
  open(settings: Settings, around: Surroundings): Promise<AsyncDisposable & { check(): Promise<readonly CheckResult[]> }>
}

async function checkEnd<Settings>(end: End<Settings>, properties: Properties, around: Surroundings): Promise<readonly CheckResult[]> {
  await using opened = await end.open(end.parse(properties), around)
  return await opened.check()
}

async function checkWarehouse({ warehouse }: Parts): Promise<CheckResult> {
  await reachWarehouse(warehouse)
  return { name: 'Tributary’s own warehouse', outcome: 'passed' }
}

/** A side that throws has failed; one that says nothing for too long, too. */
async function checkSide(
  side: Side,
  { log }: Parts,
  { signal }: Surroundings,
  check: () => Promise<readonly CheckResult[]>,
): Promise<Result[]> {
  try {
    const results = await Promise.race([check(), aborted(signal)])
    return results.map(({ name, outcome, notice }) => ({ side, name, outcome, notice: notice ?? null }))
  } catch (error) {
    if (signal.aborted) return [{ side, name: 'Connection', outcome: 'failed', notice: tooSlow }]
    const fault = asFault(error)
    if (fault.kind === 'bug') log.error('connection test failed', { error })
    return [{ side, name: 'Connection', outcome: 'failed', notice: fault.notice }]
  }
}

const tooSlow = 'There was no answer within 15 seconds. Check the address and the port, and whether a firewall lets Tributary in.'

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason as Error)
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true })
  })
}
