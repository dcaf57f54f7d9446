import type { FaultReply } from '@tributary/contract/faults'

/** What is shown when neither the server nor we can say more. */
export const somethingWrong = 'Something seems to have gone wrong, please try again.'
const unreachable = 'Tributary cannot be reached just now. Check your connection and try again.'

/** A call that did not succeed. `message` is for people; `statusCode` 0 means that no answer came. */
export class CallError extends Error {
  override readonly name = 'CallError'
  readonly statusCode: number
  readonly code: string
  readonly reference: string | null
  readonly fields: Readonly<Record<string, string>>
  /** After how long the server wants to be asked again; null where it did not say. */
  readonly retryAfterMs: number | null

  constructor(fault: Partial<FaultReply> & { statusCode: number }, retryAfterMs: number | null = null) {
    super(sentenceOf(fault))
    this.statusCode = fault.statusCode
    this.code = fault.code ?? 'broken'
    this.reference = fault.reference ?? null
    this.fields = fault.fields ?? {}
    this.retryAfterMs = retryAfterMs
  }

  static unreachable(): CallError {
    return new CallError({ statusCode: 0, code: 'unreachable', message: unreachable })
  }

  /** A proxy may answer with a page of its own; then only the status is known. */
  static async from(response: Response): Promise<CallError> {
    const body: unknown = await response.json().catch(() => null)
    const fault = typeof body === 'object' && body !== null ? (body as Partial<FaultReply>) : {}
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    return new CallError({ ...fault, statusCode: response.status }, Number.isFinite(seconds) ? seconds * 1_000 : null)
  }
}

/** The server names fields by their paths in the request, which only a program knows. */
function sentenceOf({ code, message, fields = {} }: Partial<FaultReply>): string {
  const told = code === 'badInput' ? Object.entries(fields).map(([path, what]) => fieldSentence(path, what)) : []
  return told.length === 0 ? (message ?? somethingWrong) : ['Some of what was sent is not right.', ...told].join(' ')
}

/** `account.emailAddress`, 'must be an e-mail address': 'Email address must be an e-mail address.' */
function fieldSentence(path: string, what: string): string {
  const name = path.split('.').findLast((part) => !/^\d+$/.test(part)) ?? path
  const words = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim()
  const label = `${words.charAt(0).toUpperCase()}${words.slice(1)}`
  return `${label}${/^\p{Lu}/u.test(what) ? ':' : ''} ${what}${what.endsWith('.') ? '' : '.'}`
}

/** The sentence to show for whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof CallError ? error.message : somethingWrong
}
