/** What is switched on for people who are not signed in. */
import { queryOptions, useQuery } from '@tanstack/react-query'
import type { SignInOptions } from '@tributary/contract/sign-in'
import { call } from '../call.ts'

const signInOptions = queryOptions({
  queryKey: ['sign-in-options'],
  queryFn: ({ signal }) => call('GET /auth/options', { signal }),
  staleTime: 60_000,
})

/** Until the answer is here, what holds for nearly everybody: sign-up open, no external provider. */
const usual: SignInOptions = {
  allowSignUp: true,
  providers: [],
  captcha: { provider: 'altcha', siteKey: null },
  passwordMin: 6,
  isMaintained: false,
}

export function useSignInOptions(): SignInOptions {
  return useQuery(signInOptions).data ?? usual
}

/** Where the browser goes to sign in or up at an external provider. */
export function providerAddress(name: string, purpose: 'signin' | 'signup', returnUrl: string | null): string {
  const query = new URLSearchParams({ purpose, ...(returnUrl === null ? {} : { returnUrl }) })
  return `/api/auth/external/${encodeURIComponent(name)}?${query}`
}

const known: Readonly<Record<string, string>> = { microsoft: 'Microsoft', google: 'Google', xero: 'Xero' }

/** How a provider is called in a sentence. The name comes from the address, hence from anybody: only a short one is repeated. */
export function useProviderName(): (name: string | null) => string {
  const { providers } = useSignInOptions()
  return (name) => {
    if (name === null || !/^[\w .-]{1,40}$/.test(name)) return 'the provider'
    return providers.find((provider) => provider.name === name)?.displayName ?? known[name.toLowerCase()] ?? name
  }
}
