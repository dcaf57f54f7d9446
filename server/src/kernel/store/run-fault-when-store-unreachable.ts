/** Maps a lost connection to the store to a fault of the run. Source and target are not to blame, so the run is released and continues later. */
import { Fault } from '@tributary/engine/ports/faults'
import { ApiFault } from '../http/api-fault.ts'

export const storeUnreachable = 'store.unreachable'

/** Returns the fault if the error or one of its causes is an unreachable store, otherwise undefined. */
export function storeFaultOf(error: unknown): Fault | undefined {
  if (error instanceof Fault && error.kind !== 'bug') return undefined
  for (let cause = error; cause instanceof Error; cause = cause.cause)
    if (cause instanceof ApiFault && cause.code === 'unavailable') return lostStore(error)
  return undefined
}

/** Wraps callbacks of the engine, which knows no store: an unreachable store reaches it as a fault. */
export async function withStoreFault<T>(work: () => Promise<T>): Promise<T> {
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
