import type { FaultReply } from '@tributary/contract/faults'

const somethingWrong = 'Something seems to have gone wrong, please try again.'
const sessionOver = 'Your session has ended. Sign in again to go on where you stopped.'

/** A call that did not succeed. `message` is for people; `statusCode` 0 means that no answer came. */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly statusCode: number
  readonly code: string
  /** After how long the server wants to be asked again; null where it did not say. */
  readonly retryAfterMs: number | null

  constructor(fault: Partial<FaultReply> & { statusCode: number }, retryAfterMs: number | null = null) {
    super(fault.code === 'notSignedIn' ? sessionOver : (fault.message ?? somethingWrong))
    this.statusCode = fault.statusCode
    this.code = fault.code ?? 'broken'
    this.retryAfterMs = retryAfterMs
  }

  static unreachable(): CallError {
    const message = 'Tributary cannot be reached just now. Check your connection and try again.'
    return new CallError({ statusCode: 0, code: 'unreachable', message })
  }

  static timedOut(timeoutMs: number): CallError {
    const message = `Tributary did not answer within ${timeoutMs / 1_000} seconds. Check your connection and try again.`
    return new CallError({ statusCode: 0, code: 'timedOut', message })
  }

  /** A proxy may answer with a page of its own; then only the status is known. */
  static async from(response: Response): Promise<CallError> {
    const body: unknown = await response.json().catch(() => null)
    const fault = typeof body === 'object' && body !== null ? (body as Partial<FaultReply>) : {}
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    return new CallError({ ...fault, statusCode: response.status }, Number.isFinite(seconds) ? seconds * 1_000 : null)
  }

  /** Nobody can tell whether the call was carried out. */
  get isLost(): boolean {
    return this.statusCode === 0 || this.statusCode >= 502
  }
}

/** A sentence of the pane itself: of Excel, or of what was chosen. */
export class Refusal extends Error {
  override readonly name = 'Refusal'
}

/** The sentence to show for whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof CallError || error instanceof Refusal ? error.message : somethingWrong
}

export function isSessionOver(error: unknown): boolean {
  return error instanceof CallError && error.code === 'notSignedIn'
}
