/** Calls that change the table. Where an answer is lost, it is looked what became of them before anybody repeats them. */
import type { Load } from '@tributary/contract/loads'
import { CallError } from '../api/call-error.ts'
import { call } from '../api/call.ts'

export async function commitLoad(loadId: string, seen: string, signal: AbortSignal): Promise<Load> {
  try {
    return await call('POST /loads/:loadId/commit', { params: { loadId }, body: { seen }, signal })
  } catch (error) {
    const load = await asItIs(error, loadId, signal)
    if (load?.Status === 'LOADED') return load
    throw error
  }
}

/** Answers the load that brought the former rows back. */
export async function undoLoad(loadId: string, signal: AbortSignal): Promise<Load> {
  try {
    return await call('POST /loads/:loadId/undo', { params: { loadId }, body: { source: 'addin' }, signal })
  } catch (error) {
    const by = (await asItIs(error, loadId, signal))?.UndoneBy
    if (by === undefined || by === null) throw error
    return call('GET /loads/:loadId', { params: { loadId: by }, signal })
  }
}

/** A load that got through although nobody heard of it cannot be checked any more; undefined where that is not why. */
export async function broughtIn(error: unknown, loadId: string, signal: AbortSignal): Promise<Load | undefined> {
  const load = await asItIs(error, loadId, signal)
  return load?.Status === 'LOADED' || load?.Status === 'COMMITTING' ? load : undefined
}

async function asItIs(error: unknown, loadId: string, signal: AbortSignal): Promise<Load | undefined> {
  const mayBeDone = error instanceof CallError && (error.isLost || error.code === 'loadEnded')
  if (!mayBeDone) return undefined
  try {
    return await call('GET /loads/:loadId', { params: { loadId }, signal })
  } catch {
    return undefined
  }
}
