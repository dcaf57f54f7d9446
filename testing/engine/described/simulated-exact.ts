/** A simulated Exact Online with an access token of one person, on a clock that it shares with the source. */
import { createHash } from 'node:crypto'
import { describedSources } from '@tributary/engine/apis/catalogue/catalogue'
import type { OpenSource } from '@tributary/engine/ports/source'
import type { ExactPerson } from '@tributary/sims/exact/identity'
import { type ExactSimulator, startExact } from '@tributary/sims/exact/server'
import { type SharedClock, sharedClock } from '../apis/shared-clock.ts'
import { openNetwork } from '../sync/source-context.ts'

export interface SimulatedExact extends AsyncDisposable {
  readonly sim: ExactSimulator
  readonly clock: SharedClock
  /** @param token instead of that of the person */
  open(signal?: AbortSignal, token?: string): Promise<OpenSource>
  openDivision(division: number, signal: AbortSignal): Promise<OpenSource>
}

export async function simulateExact(beforeReply?: (path: string) => void): Promise<SimulatedExact> {
  const clock = sharedClock()
  const sim = await startExact({ clock, seed: 5, pageSize: 30, ...(beforeReply !== undefined && { beforeReply }) })
  const source = describedSources.find(({ type }) => type === 'exact-online')
  if (source === undefined) throw new Error('The catalogue has no description of Exact Online.')
  const [, owner] = sim.people
  if (owner === undefined) throw new Error('There is no second person.')
  const accessToken = signIn(sim, owner)
  const openWith = (division: number, token: string, signal: AbortSignal): Promise<OpenSource> => {
    const properties = { 'exact-online.tenantId': String(division), 'exact-online.address': sim.addresses.api }
    const accessTokens = { token: async () => token }
    return source.open(source.parse(properties), { network: openNetwork, clock, signal, accessTokens })
  }
  return {
    sim,
    clock,
    open: (signal = new AbortController().signal, token = accessToken) => openWith(103, token, signal),
    openDivision(division, signal) {
      const person = sim.people.find(({ divisions }) => divisions.includes(division))
      if (person === undefined) throw new Error(`Nobody sees company ${division}.`)
      return openWith(division, signIn(sim, person), signal)
    },
    [Symbol.asyncDispose]: () => sim.close(),
  }
}

function signIn({ addresses, clientId, clientSecret, identity }: ExactSimulator, person: ExactPerson): string {
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
  const code = new URL(identity.consent(address.href, person)).searchParams.get('code') ?? ''
  const form = { client_id: clientId, client_secret: clientSecret, code, code_verifier: verifier }
  const { body } = identity.token(new URLSearchParams({ ...form, redirect_uri: asked.redirect_uri }))
  return String(body['access_token'])
}
