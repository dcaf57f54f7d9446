import { QueryClient } from '@tanstack/react-query'

/**
 * Nothing is cached, retried or refetched unasked: the sheet can change at any time, and the user decides when it is
 * read.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        networkMode: 'always',
        retry: false,
        gcTime: 0,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
      },
      // By default a mutation waits for the network in silence, and is sent when the user no longer expects it.
      mutations: { networkMode: 'always', gcTime: 0 },
    },
  })
}
