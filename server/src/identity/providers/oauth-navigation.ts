/** What the browser navigations of OAuth flows at sources and at identity providers have in common. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Config } from '../../kernel/config/config.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import type { Actor } from '../../kernel/http/actor.ts'
import { readCookie } from '../../kernel/http/own-cookie.ts'
import { authoriseCookie } from '../sessions/session-cookies.ts'
import type { Sessions } from '../sessions/sessions.ts'

/** For routes that change state, which must not answer HEAD. */
export const withoutHead = { exposeHeadRoute: false }

/** The URLs contain secrets in both directions, which the Referer header must not leak. */
export function redirect(reply: FastifyReply, address: string): FastifyReply {
  return reply.header('referrer-policy', 'no-referrer').redirect(address)
}

/** The user who is signed in in this browser; null if none. */
export async function findSignedInActor(
  { config, sessions }: { readonly config: Config; readonly sessions: Sessions },
  request: FastifyRequest,
): Promise<Actor | null> {
  try {
    return await sessions.readAuthoriseToken(readCookie(config, request, authoriseCookie))
  } catch (error) {
    if (error instanceof ApiFault && error.code === 'notSignedIn') return null
    throw error
  }
}
