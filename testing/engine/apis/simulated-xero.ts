/** A simulated Xero on a clock that it shares with the source, and a provider of access tokens. */
import type { IssuedTokens } from '@tributary/sims/xero/oauth/grants'
import { startXero } from '@tributary/sims/xero/server'
import type { XeroSimulatorOptions, XeroSimulator } from '@tributary/sims/xero/server'
import type { AccessTokenProvider } from '@tributary/engine/ports/oauth'
import type { OpenSource, ConnectorProperties } from '@tributary/engine/ports/source'
import { xeroSource } from '@tributary/engine/apis/xero/source'
import { sharedClock } from './shared-clock.ts'
import type { SharedClock } from './shared-clock.ts'
import { openNetwork } from '../sync/source-context.ts'

export interface SimulatedXero extends AsyncDisposable {
  readonly sim: XeroSimulator
  readonly clock: SharedClock
  /** The company that the source reads. */
  readonly tenantId: string
  readonly authorisation: TestTokenProvider
  open(signal?: AbortSignal, more?: ConnectorProperties): Promise<OpenSource>
}

interface TestTokenProvider extends AccessTokenProvider {
  /** Tokens that were refused and renewed. */
  readonly renewals: readonly string[]
  /** Simulates a person who authorises the app for the company again. */
  grantAgain(): void
}

interface SimulatedXeroOptions extends Partial<XeroSimulatorOptions> {
  /** The OAuth scopes that the person grants; all by default. */
  readonly scopes?: readonly string[]
  /** The rate limit of the source, if it is not the default. */
  readonly callsPerMinute?: number
  /** How far each read of the clock by the simulator advances it, so that calls take time. */
  readonly slowMs?: number
}

export async function simulateXero({
  scopes,
  callsPerMinute,
  slowMs = 0,
  ...options
}: SimulatedXeroOptions = {}): Promise<SimulatedXero> {
  const clock = sharedClock()
  const slowly = { now: () => (clock.advance(slowMs), clock.now()) }
  const sim = await startXero({ clock: slowly, seed: 11, size: 'trial', ...options })
  const [company] = sim.companies
  if (company === undefined) throw new Error('There is a company.')
  const { tenantId } = company
  const authorisation = provideTokens(sim, () => sim.issueToken(0, undefined, scopes))
  return {
    sim,
    clock,
    tenantId,
    authorisation,
    open: async (signal = new AbortController().signal, more = {}) => {
      const given = {
        'xero.tenantId': tenantId,
        'xero.address': sim.addresses.api,
        'xero.callsPerMinute': callsPerMinute,
        ...more,
      }
      return xeroSource.open(xeroSource.parse(given), {
        network: openNetwork,
        clock,
        signal,
        accessTokens: authorisation,
      })
    },
    [Symbol.asyncDispose]: () => sim.close(),
  }
}

type Tokens = Pick<IssuedTokens, 'accessToken' | 'refreshToken'>

/** Provides access tokens. Concurrent reports of a refused token renew it only once. */
function provideTokens(sim: XeroSimulator, issue: () => Tokens): TestTokenProvider {
  let tokens = Promise.resolve<Tokens>(issue())
  const renewals: string[] = []
  return {
    renewals,
    async token(refused) {
      const held = tokens
      const { accessToken, refreshToken } = await held
      if (accessToken === refused && tokens === held) {
        renewals.push(accessToken)
        tokens = renewTokens(sim, refreshToken)
      }
      return (await tokens).accessToken
    },
    grantAgain() {
      tokens = Promise.resolve(issue())
    },
  }
}

async function renewTokens(
  { addresses, clientId, clientSecret }: XeroSimulator,
  refreshToken: string,
): Promise<Tokens> {
  const answer = await fetch(addresses.token, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  })
  if (!answer.ok) throw new Error(`The token was not renewed: ${await answer.text()}`)
  const reply = (await answer.json()) as { readonly access_token: string; readonly refresh_token: string }
  return { accessToken: reply.access_token, refreshToken: reply.refresh_token }
}
