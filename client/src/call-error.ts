/** Errors whose messages are written for users. */
import type { FaultReply } from '@tributary/contract/faults'

/** Shown when neither the server nor the client knows more. */
export const somethingWrong = 'Something seems to have gone wrong, please try again.'
const unreachable = 'Tributary cannot be reached just now. Check your connection and try again.'
const sessionEnded = 'Your session has ended. Sign in again to continue where you stopped.'

/** The base of all errors whose `message` may be shown on screen. */
export class DisplayableError extends Error {
  override readonly name: string = 'DisplayableError'
}

/** A call that failed. `statusCode` is 0 if no reply arrived. */
export class CallError extends DisplayableError {
  override readonly name = 'CallError'
  readonly statusCode: number
  readonly code: string
  readonly reference: string | null
  /** Messages by the path of the field in the request. */
  readonly fields: Readonly<Record<string, string>>
  /** From the header `Retry-After`; null if the server sent none. */
  readonly retryAfterMs: number | null

  constructor(fault: Partial<FaultReply> & { statusCode: number }, retryAfterMs: number | null = null) {
    super(messageFor(fault))
    this.statusCode = fault.statusCode
    this.code = fault.code ?? 'broken'
    this.reference = fault.reference ?? null
    this.fields = fault.fields ?? {}
    this.retryAfterMs = retryAfterMs
  }

  static unreachable(): CallError {
    return new CallError({ statusCode: 0, code: 'unreachable', message: unreachable })
  }

  static timedOut(timeoutMs: number): CallError {
    const message = `Tributary did not answer within ${timeoutMs / 1_000} seconds. Check your connection and try again.`
    return new CallError({ statusCode: 0, code: 'timedOut', message })
  }

  static notSignedIn(): CallError {
    return new CallError({ statusCode: 401, code: 'notSignedIn' })
  }

  /** A proxy may reply with its own page; then only the status is known. */
  static async from(response: Response): Promise<CallError> {
    const body: unknown = await response.json().catch(() => null)
    const fault = typeof body === 'object' && body !== null ? (body as Partial<FaultReply>) : {}
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    return new CallError({ ...fault, statusCode: response.status }, Number.isFinite(seconds) ? seconds * 1_000 : null)
  }

  /**
   * No reply arrived, or a proxy or the server is in trouble. A retry may succeed; whether the call took effect is
   * unknown.
   */
  get isTransient(): boolean {
    return this.statusCode === 0 || this.statusCode >= 502
  }

  get isSignedOut(): boolean {
    return this.statusCode === 401 || this.message === 'Unauthorized'
  }
}

function messageFor({ code, message, fields = {} }: Partial<FaultReply>): string {
  if (code === 'notSignedIn') return sessionEnded
  const problems = code === 'badInput' ? Object.entries(fields).map(([path, text]) => describeField(path, text)) : []
  // The server's message names fields by their paths in the request, which mean nothing to a user.
  return problems.length === 0
    ? (message ?? somethingWrong)
    : ['Some of what was sent is not right.', ...problems].join(' ')
}

/** `account.emailAddress`, 'must be an e-mail address': 'Email address must be an e-mail address.' */
function describeField(path: string, text: string): string {
  const name = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? path
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim()
  const label = `${words.charAt(0).toUpperCase()}${words.slice(1)}`
  return `${label}${/^\p{Lu}/u.test(text) ? ':' : ''} ${text}${text.endsWith('.') ? '' : '.'}`
}

/** The message to show for anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof DisplayableError ? error.message : somethingWrong
}
