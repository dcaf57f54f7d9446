/** Which streams a company offers: some need a right that Xero does not give to every application, which is no fault of theirs. */
import type { Clock } from '../../ports/clock.ts'
import { isNotAllowed } from './api.ts'
import type { XeroApi } from './api.ts'
import type { XeroStream } from './tables/declare.ts'

const knownMs = 23 * 60 * 60_000
const known = new WeakMap<Clock, Map<string, { readonly at: number; readonly mayRead: boolean }>>()

/** Asked once a day for each right, for it costs a call. */
export async function isOffered(api: XeroApi, stream: XeroStream): Promise<boolean> {
  if (stream.kind !== 'journals' && stream.isOptional !== true) return true
  const { clock, tenantId } = api
  const answers = known.get(clock) ?? new Map()
  known.set(clock, answers)
  const key = `${tenantId} ${stream.scope}`
  const answer = answers.get(key)
  if (answer !== undefined && clock.now() - answer.at < knownMs) return answer.mayRead
  const mayRead = await isAnswered(api, stream)
  answers.set(key, { at: clock.now(), mayRead })
  return mayRead
}

async function isAnswered(api: XeroApi, { kind, name: path, scope }: XeroStream): Promise<boolean> {
  try {
    // As little as can be asked for.
    await api.ask({
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
