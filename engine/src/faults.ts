/** The six ways work fails, each named by who must act. */

/**
 * `settings`: an administrator must change something. `signIn`: the credentials were refused; somebody must
 * authorise again. `busy`: wait as long as told. `passing`: retry with back-off. `data`: a row cannot be placed.
 * `bug`: stop and wake a developer.
 */
export type FaultKind = 'settings' | 'signIn' | 'busy' | 'passing' | 'data' | 'bug'

export interface FaultDetail {
  /** Stable, for programs: `postgres.login_refused`. */
  readonly code: string
  /** For people: what is wrong and what to do. Holds no secret and no text of a foreign system's banner. */
  readonly notice: string
  readonly cause?: unknown
  /** Only for `busy`: how long to wait, in milliseconds. */
  readonly waitMs?: number
  /** Only for `settings`: which one must change, `cin7.accountId` or `source.connectionString.password`. */
  readonly field?: string
  /** A statement by which the database's owner mends it, ready to copy: the GRANT that is missing. */
  readonly remedy?: string
}

export class Fault extends Error {
  override readonly name = 'Fault'
  readonly kind: FaultKind
  readonly code: string
  readonly notice: string
  readonly waitMs: number | undefined
  readonly field: string | undefined
  readonly remedy: string | undefined

  constructor(kind: FaultKind, detail: FaultDetail) {
    const notice = bounded(detail.notice)
    super(notice, { cause: detail.cause })
    this.kind = kind
    this.code = detail.code
    this.notice = notice
    this.waitMs = detail.waitMs
    this.field = detail.field
    this.remedy = detail.remedy
  }
}

/** More than anybody reads. It goes into mails, messages and the target's own list of runs, which take only so much. */
const noticeMax = 4_000

function bounded(notice: string): string {
  return notice.length <= noticeMax ? notice : `${notice.slice(0, noticeMax - 1).toWellFormed()}…`
}

/** The same fault with the statement that mends it; as it was where there is none. */
export function withRemedy(fault: Fault, remedy: string | null): Fault {
  const { kind, code, notice, cause } = fault
  return remedy === null ? fault : new Fault(kind, { code, notice, cause, remedy })
}

/** What nobody foresaw is a bug: the notice says so without repeating a message that might hold a secret. */
export function asFault(error: unknown): Fault {
  if (error instanceof Fault) return error
  return new Fault('bug', {
    code: 'engine.unexpected',
    notice: 'Something went wrong inside Tributary. The details are in the server log.',
    cause: error,
  })
}
