/** The sign-in methods that are enabled, for visitors. */
import { useQuery } from '@tanstack/react-query'
import type { SignInOptions } from '@tributary/contract/sign-in'
import { callQuery } from '../call-query.ts'

const signInOptions = { ...callQuery(['sign-in-options'], 'GET /auth/options'), staleTime: 60_000 }

/** Assumed until the options have loaded, because most installations have them: open sign-up, no external provider. */
const defaultOptions: SignInOptions = {
  allowSignUp: true,
  providers: [],
  captcha: { provider: 'altcha', siteKey: null },
  passwordMin: 6,
  isMaintained: false,
}

export function useSignInOptions(): SignInOptions {
  return useQuery(signInOptions).data ?? defaultOptions
}

/** The address at which the browser leaves the portal, to sign in or up at an external provider. */
export function buildProviderUrl(name: string, purpose: 'signin' | 'signup', returnUrl: string | null): string {
  const query = new URLSearchParams({ purpose, ...(returnUrl === null ? {} : { returnUrl }) })
  return `/api/auth/external/${encodeURIComponent(name)}?${query}`
}

const wellKnownNames: Readonly<Record<string, string>> = { microsoft: 'Microsoft', google: 'Google', xero: 'Xero' }

/**
 * Returns the display name of a provider. The name comes from the URL, which an attacker can craft: only a short one is
 * shown.
 */
export function useProviderName(): (name: string | null) => string {
  const { providers } = useSignInOptions()
  return (name) => {
    if (name === null || !/^[\w .-]{1,40}$/.test(name)) return 'the provider'
    return (
      providers.find((provider) => provider.name === name)?.displayName ?? wellKnownNames[name.toLowerCase()] ?? name
    )
  }
}
