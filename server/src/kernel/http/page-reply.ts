/** Replies of a route as a page, for browsers. Other programs get JSON. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { StaticPage } from '../text/html.ts'
import { ApiFault } from './api-fault.ts'

interface PageCall {
  readonly request: FastifyRequest
}

/**
 * The handler of a route that `hasPage`.
 * @param renderPage renders a reply, or the fault that the handler threw
 */
export function withPage<Call extends PageCall, Reply>(
  handler: (call: Call) => Promise<Reply>,
  renderPage: (outcome: Reply | ApiFault) => StaticPage,
): (call: Call) => Promise<Reply> {
  return async (call) => {
    if (!acceptsPage(call.request)) return handler(call)
    try {
      return new PageReply(200, renderPage(await handler(call))) as Reply
    } catch (error) {
      if (!(error instanceof ApiFault)) throw error
      return new PageReply(error.statusCode, renderPage(error)) as Reply
    }
  }
}

/** What `bind` sends instead of JSON. */
export class PageReply {
  readonly #status: number
  readonly #page: StaticPage

  constructor(status: number, page: StaticPage) {
    this.#status = status
    this.#page = page
  }

  send(reply: FastifyReply): FastifyReply {
    return reply
      .code(this.#status)
      .headers({ 'content-security-policy': this.#page.policy })
      .type('text/html; charset=utf-8')
      .send(this.#page.page)
  }
}

/** Only browsers name HTML. A program that accepts anything gets JSON. */
function acceptsPage({ headers }: FastifyRequest): boolean {
  return headers.accept?.includes('text/html') === true
}
