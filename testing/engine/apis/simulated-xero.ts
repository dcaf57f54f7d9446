/** Xero, simulated, on a clock that it shares with its reader, and the token that its reader is lent. */
import type { IssuedTokens } from '@tributary/sims/xero/oauth/grants'
import { startXero } from '@tributary/sims/xero/server'
import type { XeroSimulatorOptions, XeroSimulator } from '@tributary/sims/xero/server'
import type { AccessTokenProvider } from '@tributary/engine/ports/oauth'
import type { OpenSource, ConnectorProperties } from '@tributary/engine/ports/source'
import { xeroSource } from '@tributary/engine/apis/xero/source'
import { sharedClock } from './shared-clock.ts'
import type { SharedClock } from './shared-clock.ts'
import { openNetwork } from '../sync/source-context.ts'

export interface Simulated extends AsyncDisposable {
  readonly sim: XeroSimulator
  readonly clock: SharedClock
  /** The company that is read. */
  readonly tenantId: string
  readonly authorisation: LentToken
  open(signal?: AbortSignal, more?: ConnectorProperties): Promise<OpenSource>
}

interface LentToken extends AccessTokenProvider {
  /** Tokens that were refused and renewed. */
  readonly renewals: readonly string[]
  /** Simulates a person who authorises the app for the company again. */
  grantAgain(): void
}

interface Options extends Partial<XeroSimulatorOptions> {
  /** The OAuth scopes that the person grants; all by default. */
  readonly scopes?: readonly string[]
  /** The rate limit of the reader, if it is not the default. */
  readonly callsPerMinute?: number
  /** How far each look of the simulator at the clock advances it, so that calls take time. */
  readonly slowMs?: number
}

export async function simulated({ scopes, callsPerMinute, slowMs = 0, ...options }: Options = {}): Promise<Simulated> {
  const clock = sharedClock()
  const slowly = { now: () => (clock.advance(slowMs), clock.now()) }
  const sim = await startXero({ clock: slowly, seed: 11, size: 'trial', ...options })
  const [company] = sim.companies
  if (company === undefined) throw new Error('There is a company.')
  const { tenantId } = company
  const authorisation = lend(sim, () => sim.issueToken(0, undefined, scopes))
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
function lend(sim: XeroSimulator, issue: () => Tokens): LentToken {
  let tokens = Promise.resolve<Tokens>(issue())
  const renewals: string[] = []
  return {
    renewals,
    async token(refused) {
      const held = tokens
      const { accessToken, refreshToken } = await held
      if (accessToken === refused && tokens === held) {
        renewals.push(accessToken)
        tokens = renewed(sim, refreshToken)
      }
      return (await tokens).accessToken
    },
    grantAgain() {
      tokens = Promise.resolve(issue())
    },
  }
}

async function renewed({ addresses, clientId, clientSecret }: XeroSimulator, refreshToken: string): Promise<Tokens> {
  const answer = await fetch(addresses.token, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: refreshToken }),
  })
  if (!answer.ok) throw new Error(`The token was not renewed: ${await answer.text()}`)
  const reply = (await answer.json()) as { readonly access_token: string; readonly refresh_token: string }
  return { accessToken: reply.access_token, refreshToken: reply.refresh_token }
}
