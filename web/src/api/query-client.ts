import { QueryClient } from '@tanstack/react-query'
import { CallError } from './call-error.ts'
import { readIdentity, subscribe } from './session.ts'

export function createQueryClient(): QueryClient {
  const client = new QueryClient({
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

/** Nothing of one person, or of one role, may be shown to the next, whichever tab signed out. */
function forgetWithTheSession(client: QueryClient): void {
  let person = readIdentity()?.email
  subscribe(() => {
    const next = readIdentity()?.email
    if (next !== person) client.clear()
    person = next
  })
}
