/** A simulated Exact Online with an access token of one person, on a clock that it shares with the source. */
import { createHash } from 'node:crypto'
import { describedSources } from '@tributary/engine/apis/catalogue/catalogue'
import type { OpenSource } from '@tributary/engine/ports/source'
import { type ExactSimulator, startExact } from '@tributary/sims/exact/server'
import { type SharedClock, sharedClock } from '../apis/shared-clock.ts'
import { openNetwork } from '../sync/source-context.ts'

export interface SimulatedExact extends AsyncDisposable {
  readonly sim: ExactSimulator
  readonly clock: SharedClock
  /** @param token instead of that of the person */
  open(signal?: AbortSignal, token?: string): Promise<OpenSource>
}

export async function simulateExact(): Promise<SimulatedExact> {
  const clock = sharedClock()
  const sim = await startExact({ clock, seed: 5, pageSize: 30 })
  const source = describedSources.find(({ type }) => type === 'exact-online')
  if (source === undefined) throw new Error('The catalogue has no description of Exact Online.')
  const accessToken = signIn(sim)
  return {
    sim,
    clock,
    open(signal = new AbortController().signal, token = accessToken) {
      const properties = { 'exact-online.tenantId': '103', 'exact-online.address': sim.addresses.api }
      const accessTokens = { token: async () => token }
      return source.open(source.parse(properties), { network: openNetwork, clock, signal, accessTokens })
    },
    [Symbol.asyncDispose]: () => sim.close(),
  }
}

function signIn({ addresses, clientId, clientSecret, identity, people }: ExactSimulator): string {
  const verifier = 'a-verifier-that-is-long-enough-for-a-proof-of-possession'
  const address = new URL(addresses.authorise)
  const asked = {
    client_id: clientId,
    response_type: 'code',
    redirect_uri: 'http://localhost/callback',
    code_challenge_method: 'S256',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
  }
  for (const [name, value] of Object.entries(asked)) address.searchParams.set(name, value)
  const [, person] = people
  if (person === undefined) throw new Error('There is a person.')
  const code = new URL(identity.consent(address.href, person, true)).searchParams.get('code') ?? ''
  const form = { client_id: clientId, client_secret: clientSecret, code, code_verifier: verifier }
  const { body } = identity.token(new URLSearchParams({ ...form, redirect_uri: asked.redirect_uri }))
  return String(body['access_token'])
}
