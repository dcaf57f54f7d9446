import { type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { CallError } from '@tributary/client/call-error'
import { readIdentity, subscribe } from './session/session.ts'
import { forgetAllStarted } from './queries/started-runs.ts'

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: refetchAfterRateLimit }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => failures < 2 && error instanceof CallError && error.isTransient,
        // A tab that becomes visible again shows current data.
        refetchOnWindowFocus: 'always',
      },
      // By default a mutation waits for the network in silence, and is sent when the user no longer expects it.
      mutations: { networkMode: 'always' },
    },
  })
  clearOnUserChange(client)
  return client
}

/** Longer than a rate limit of one minute. No user waits in front of the page for a lock of an hour. */
const longestWaitMs = 2 * 60_000

/** After a refusal by a rate limit, the server says when to retry. What is still on screen is then fetched again. */
function refetchAfterRateLimit(error: unknown, query: Query<unknown, unknown>): void {
  if (!(error instanceof CallError) || error.statusCode !== 429) return
  const waitMs = error.retryAfterMs
  if (waitMs === null || waitMs > longestWaitMs) return
  setTimeout(() => void refetch(query), waitMs)
}

async function refetch(query: Query<unknown, unknown>): Promise<void> {
  try {
    if (query.isActive()) await query.fetch()
  } catch {
    // The query holds the error and the page shows it.
  }
}

/** Data of one user or role must not be shown to the next one, whichever tab signed out. */
function clearOnUserChange(client: QueryClient): void {
  let email = readIdentity()?.email
  subscribe(() => {
    const next = readIdentity()?.email
    if (next !== email) {
      client.clear()
      forgetAllStarted()
    }
    email = next
  })
}
