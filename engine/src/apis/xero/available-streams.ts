/** Decides which streams a company offers. Some need a scope that Xero does not grant to every application. */
import type { Clock } from '../../ports/clock.ts'
import { isNotAllowed, type XeroApi } from './api.ts'
import type { XeroStream } from './tables/stream-kinds.ts'

const knownMs = 23 * 60 * 60_000
const accessByClock = new WeakMap<Clock, Map<string, { readonly at: number; readonly mayRead: boolean }>>()

/** Checks each scope once a day, because a check costs a call. */
export async function isOffered(api: XeroApi, stream: XeroStream): Promise<boolean> {
  if (stream.kind !== 'journals' && stream.isOptional !== true) return true
  const { clock, tenantId } = api
  const accessByScope = accessByClock.get(clock) ?? new Map()
  accessByClock.set(clock, accessByScope)
  const key = `${tenantId} ${stream.scope}`
  const access = accessByScope.get(key)
  if (access !== undefined && clock.now() - access.at < knownMs) return access.mayRead
  const mayRead = await canRead(api, stream)
  accessByScope.set(key, { at: clock.now(), mayRead })
  return mayRead
}

async function canRead(api: XeroApi, { kind, name: path, scope }: XeroStream): Promise<boolean> {
  try {
    // The smallest possible request.
    await api.get({
      path,
      scope,
      ...(kind === 'journals' ? { query: { offset: '0' } } : { changedSince: api.clock.now() }),
    })
    return true
  } catch (error) {
    if (isNotAllowed(error)) return false
    throw error
  }
}
