/** Two addresses that a browser goes to, not the portal: out to a provider, and back. Both answer with a redirect. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import * as z from 'zod'
import { originOf, type Actor } from '../../platform/actor.ts'
import { addressBlock } from '../../platform/address-block.ts'
import type { App } from '../../platform/bind.ts'
import { readAuthoriseToken, setLinkSecret } from '../../platform/cookies.ts'
import { ApiFault } from '../../platform/fault.ts'
import type { Provider } from '../../platform/oidc/provider.ts'
import type { Parts } from '../../platform/parts.ts'
import type { Limit } from '../../platform/throttle.ts'
import { arrive } from './arrive.ts'
import { depart } from './depart.ts'
import { addressOf } from './landing.ts'
import { clearTripCookie, readTripCookie, setTripCookie } from './trip-cookie.ts'

/** Trips that end well are taken back. */
const departures: Limit = { kind: 'external departure', free: 20, waitMs: 600_000, waitMaxMs: 600_000, windowMs: 600_000 }
const arrivals: Limit = { ...departures, kind: 'external arrival' }

const Wish = z.object({
  purpose: z.enum(['signin', 'signup', 'link']).catch('signin'),
  returnUrl: z.string().max(2_000).optional().catch(undefined),
})

type Request = FastifyRequest<{ Params: { provider: string } }>

export function externalRoutes({ http, parts }: App): void {
  http.get('/api/auth/external/:provider', (request: Request, reply) => goOut(parts, request, reply))
  http.get('/api/auth/external/:provider/callback', (request: Request, reply) => comeBack(parts, request, reply))
}

async function goOut(parts: Parts, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  await parts.throttle.attempt(departures, addressBlock(request.ip))
  const provider = findProvider(parts, request)
  if (provider === undefined) return redirect(reply, addressOf('/signin', { error: 'unknown' }))
  const { purpose, returnUrl } = Wish.parse(request.query)
  const person = purpose === 'link' ? await whoLinks(parts, request) : null
  if (purpose === 'link' && person === null) return redirect(reply, addressOf('/profile', { error: 'unknown', provider: provider.name }))

  const departure = await depart(parts, { provider, purpose, returnUrl, userId: person?.userId ?? null })
  if ('path' in departure) return redirect(reply, departure.path)
  setTripCookie(parts.config, reply, departure.browser)
  return redirect(reply, departure.address.href)
}

async function comeBack(parts: Parts, request: Request, reply: FastifyReply): Promise<FastifyReply> {
  const { config, store, throttle } = parts
  const address = addressBlock(request.ip)
  await throttle.attempt(arrivals, address)
  const provider = findProvider(parts, request)
  if (provider === undefined) return redirect(reply, addressOf('/signin', { error: 'unknown' }))
  const person = await whoIsSignedIn(parts, request)
  const landing = await arrive(parts, {
    provider,
    answer: new URL(request.url, config.publicUrl).searchParams,
    browser: readTripCookie(config, request),
    userId: person?.userId ?? null,
    origin: originOf(null, { address: request.ip, reference: request.id }),
  })
  clearTripCookie(config, reply)
  if (landing.linkSecret !== undefined) setLinkSecret(config, reply, landing.linkSecret)
  // Across: attempts belong to no organisation.
  if (landing.isRefused !== true)
    for (const limit of [departures, arrivals]) await store.across((db) => throttle.refund(db, limit, address))
  return redirect(reply, landing.path)
}

/** Both ways the addresses hold secrets, which no other site is to be told. */
function redirect(reply: FastifyReply, address: string): FastifyReply {
  return reply.header('referrer-policy', 'no-referrer').redirect(address)
}

function findProvider({ providers }: Parts, { params }: Request): Provider | undefined {
  return providers.find(({ name }) => name === params.provider)
}

/** Only from the portal itself: another site must not be able to begin it for whoever is signed in here. */
async function whoLinks(parts: Parts, request: Request): Promise<Actor | null> {
  return request.headers['sec-fetch-site'] === 'same-origin' ? whoIsSignedIn(parts, request) : null
}

async function whoIsSignedIn({ config, sessions }: Parts, request: Request): Promise<Actor | null> {
  try {
    return await sessions.ofAuthoriseToken(readAuthoriseToken(config, request))
  } catch (error) {
    if (error instanceof ApiFault && error.code === 'notSignedIn') return null
    throw error
  }
}
