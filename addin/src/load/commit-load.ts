/**
 * Calls that change the table. If a reply is lost, the load's status decides what happened, so that no call is repeated
 * blindly.
 */
import { CallError } from '@tributary/client/call-error'
import type { Load } from '@tributary/contract/loads'
import { call } from '../api/call.ts'

/** @param seen from the check that the user saw: the server refuses if the table has changed since. */
export async function commitLoad(loadId: string, seen: string, signal: AbortSignal): Promise<Load> {
  try {
    return await call('POST /loads/:loadId/commit', { params: { loadId }, body: { seen }, signal })
  } catch (error) {
    const load = await findCurrentLoad(error, loadId, signal)
    if (load?.Status === 'LOADED') return load
    throw error
  }
}

/** Returns the load that restored the former rows. */
export async function undoLoad(loadId: string, signal: AbortSignal): Promise<Load> {
  try {
    return await call('POST /loads/:loadId/undo', { params: { loadId }, body: { source: 'addin' }, signal })
  } catch (error) {
    const undoneBy = (await findCurrentLoad(error, loadId, signal))?.UndoneBy
    if (undoneBy === undefined || undoneBy === null) throw error
    return call('GET /loads/:loadId', { params: { loadId: undoneBy }, signal })
  }
}

/**
 * A load whose commit succeeded without a reply can no longer be checked. Returns undefined if that is not the reason.
 */
export async function findLoadedResult(error: unknown, loadId: string, signal: AbortSignal): Promise<Load | undefined> {
  const load = await findCurrentLoad(error, loadId, signal)
  return load?.Status === 'LOADED' || load?.Status === 'COMMITTING' ? load : undefined
}

/** Undefined if the error shows that the call did not take effect. */
async function findCurrentLoad(error: unknown, loadId: string, signal: AbortSignal): Promise<Load | undefined> {
  const mayHaveTakenEffect = error instanceof CallError && (error.isTransient || error.code === 'loadEnded')
  if (!mayHaveTakenEffect) return undefined
  try {
    return await call('GET /loads/:loadId', { params: { loadId }, signal })
  } catch {
    return undefined
  }
}
