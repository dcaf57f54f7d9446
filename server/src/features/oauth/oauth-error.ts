/** Errors in the form of OAuth: RFC 6749 sections 4.1.2.1 and 5.2, RFC 7591 section 3.2.2, RFC 8707 section 2. */
import type { FastifyError, FastifyReply } from 'fastify'
import type { AppServices } from '../../app-services.ts'
import { ApiFault } from '../../kernel/http/api-fault.ts'
import { prepareFault } from '../../kernel/http/http-server.ts'

export type OauthErrorCode =
  | 'access_denied'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_grant'
  | 'invalid_redirect_uri'
  | 'invalid_request'
  | 'invalid_scope'
  | 'invalid_target'
  | 'server_error'
  | 'temporarily_unavailable'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'

export class OauthError extends Error {
  override readonly name = 'OauthError'
  readonly code: OauthErrorCode

  constructor(code: OauthErrorCode, message: string) {
    super(message)
    this.code = code
  }
}

export function replyWithOauthError(
  services: Pick<AppServices, 'isDiskFull' | 'log'>,
  error: FastifyError | OauthError | ApiFault,
  reply: FastifyReply,
): FastifyReply {
  const { status, code, message } =
    error instanceof OauthError
      ? { status: statusOf(error.code), code: error.code, message: error.message }
      : toFault(services, error, reply)
  return reply
    .code(status)
    .type('application/json; charset=utf-8')
    .serializer(JSON.stringify)
    .send({ error: code, error_description: describable(message) })
}

function statusOf(code: OauthErrorCode): number {
  if (code === 'invalid_client') return 401
  return code === 'access_denied' ? 403 : 400
}

function toFault(
  services: Pick<AppServices, 'isDiskFull' | 'log'>,
  error: FastifyError | ApiFault,
  reply: FastifyReply,
) {
  const { statusCode: status, message, code } = prepareFault(services, error, reply)
  if (code === 'malformed' && !(error instanceof ApiFault))
    return { status, code: 'invalid_request', message: 'The body could not be read, or has another content type.' }
  if (status === 429 || status === 503) return { status, code: 'temporarily_unavailable', message }
  return { status, code: status >= 500 ? 'server_error' : 'invalid_request', message }
}

/** RFC 6749, section 5.2: printable ASCII without quotation marks and backslashes. */
function describable(text: string): string {
  return text
    .replaceAll('’', "'")
    .replaceAll('"', "'")
    .replaceAll(/[^\x20-\x7e]|\\/gu, '?')
}
