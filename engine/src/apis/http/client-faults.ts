/** Faults of calls that failed although they were repeated. */
import { Fault } from '../../ports/faults.ts'

interface ApiName {
  /** Display name: `Cin7 Core`. */
  readonly title: string
  /** Prefix of its fault codes: `cin7`. */
  readonly code: string
}

/** How often a call is sent. */
export const attemptsMax = { limited: 6, unreachable: 5, failing: 3 } as const
/** A limit that outlasts every pause is probably a daily one: check again after this time. */
const limitWaitMs = 15 * 60_000

export interface RetryableFailure {
  readonly is: keyof typeof attemptsMax
  readonly waitMs?: number
  readonly cause: unknown
}

export function faultAfterRetries(api: ApiName, { is, cause, waitMs = limitWaitMs }: RetryableFailure): Fault {
  if (is === 'limited') {
    return new Fault('busy', {
      code: `${api.code}.limit_reached`,
      notice: `${api.title} accepts no more calls with these credentials for now. What has been read is kept; the rest follows with the next run.`,
      waitMs,
      cause,
    })
  }
  if (is === 'failing') {
    return new Fault('passing', {
      code: `${api.code}.failing`,
      notice: `${api.title} has a server problem at the moment. Tributary tries again with the next run.`,
      cause,
    })
  }
  if (cause instanceof Fault) return cause
  return new Fault('passing', {
    code: `${api.code}.unreachable`,
    notice: `${api.title} could not be reached, or did not answer in time. Tributary tries again with the next run.`,
    cause,
  })
}

/** A freshly renewed token was refused as well. */
export function signInFault({ title, code }: ApiName, cause: unknown): Fault {
  return new Fault('signIn', {
    code: `${code}.refused`,
    notice: `${title} no longer accepts the sign-in. Connect it again.`,
    cause,
  })
}
