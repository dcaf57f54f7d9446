/** A lost connection to the store, as a run sees it: it says nothing about source or target, so the run is released and continues later. */
import { Fault } from '@tributary/engine/ports/faults'
import { ApiFault } from '../http/api-fault.ts'

export const storeUnreachable = 'store.unreachable'

/** The fault of a run whose error, or one of its causes, is a store that could not be reached; else undefined. */
export function storeFaultOf(error: unknown): Fault | undefined {
  if (error instanceof Fault && error.kind !== 'bug') return undefined
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof ApiFault && cause.code === 'unavailable') return lostStore(error)
  return undefined
}

/** For what the engine calls during a run: it knows no store, so a lost one reaches it as a fault. */
export async function orStoreFault<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw storeFaultOf(error) ?? error
  }
}

function lostStore(cause: unknown): Fault {
  return new Fault('passing', {
    code: storeUnreachable,
    notice: 'Tributary’s own database could not be reached for a moment. Nothing is lost. The run continues by itself.',
    cause,
  })
}
