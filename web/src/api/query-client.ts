import { type Query, QueryCache, QueryClient } from '@tanstack/react-query'
import { CallError } from './call-error.ts'
import { readIdentity, subscribe } from './session/session.ts'
import { forgetAllStarted } from './queries/started-runs.ts'

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
    queryCache: new QueryCache({ onError: goOnLater }),
    defaultOptions: {
      queries: {
        staleTime: 5_000,
        retry: (failures, error) => failures < 2 && mayPass(error),
        // A tab that is looked at again shows what is true now.
        refetchOnWindowFocus: 'always',
      },
      // Without a network what was pressed would wait for one in silence, and be sent when nobody thinks of it any more.
      mutations: { networkMode: 'always' },
    },
  })
  forgetWithTheSession(client)
  return client
}

/** Only what may go better by itself is asked again: no answer, or the server in trouble. */
function mayPass(error: unknown): boolean {
  return error instanceof CallError && (error.statusCode === 0 || error.statusCode >= 502)
}

/** Longer than a minute's limit; for a lock of an hour nobody waits before the page. */
const waitMaxMs = 2 * 60_000

/** Whoever has called too often is told when they may again; what is on screen is then asked for by itself. */
function goOnLater(error: unknown, query: Query<unknown, unknown>): void {
  if (!(error instanceof CallError) || error.statusCode !== 429) return
  const waitMs = error.retryAfterMs
  if (waitMs === null || waitMs > waitMaxMs) return
  setTimeout(() => void refetch(query), waitMs)
}

async function refetch(query: Query<unknown, unknown>): Promise<void> {
  try {
    if (query.isActive()) await query.fetch()
  } catch {
    // It is in the query's error, and on screen.
  }
}

/** Nothing of one person, or of one role, may be shown to the next, whichever tab signed out. */
function forgetWithTheSession(client: QueryClient): void {
  let person = readIdentity()?.email
  subscribe(() => {
    const next = readIdentity()?.email
    if (next !== person) {
      client.clear()
      forgetAllStarted()
    }
    person = next
  })
}
