/** Refusals in OData's form. */

export interface ODataErrorDetail {
  /** The query option, header or part of the address that is wrong. */
  readonly target?: string | undefined
  /** The character of the target at which it is wrong, counted from 1. */
  readonly position?: number | undefined
  readonly cause?: unknown
}

export class ODataError extends Error {
  override readonly name = 'ODataError'
  readonly status: number
  readonly code: string
  readonly target: string | undefined
  readonly position: number | undefined

  constructor(status: number, code: string, message: string, { target, position, cause }: ODataErrorDetail = {}) {
    super(message, { cause })
    this.status = status
    this.code = code
    this.target = target
    this.position = position
  }
}

/** What was sent is wrong. */
export function badRequest(message: string, detail: ODataErrorDetail = {}): ODataError {
  return new ODataError(400, 'badRequest', message, detail)
}

/** OData has it, and the feed does not. */
export function notImplemented(what: string, detail: ODataErrorDetail = {}): ODataError {
  return new ODataError(501, 'notImplemented', `The feed does not support ${what}.`, detail)
}

/** The same error, with what it is about. */
export function withTarget(error: unknown, target: string): unknown {
  if (!(error instanceof ODataError) || error.target !== undefined) return error
  const { status, code, message, position, cause } = error
  return new ODataError(status, code, message, { target, position, cause })
}
