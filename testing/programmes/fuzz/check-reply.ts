/** Invariants of every response. */
import { faults } from '@tributary/contract/faults'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { PlannedCall } from './calls.ts'
import type { ApiDescription, ApiOperation } from './description.ts'
import { canaries } from './names.ts'
import type { FuzzResponse } from './send.ts'

type CheckedCall = Pick<PlannedCall, 'operation' | 'mood' | 'request'>

/** Responses that the server may send before it has matched a route, so they are not in the API description. */
const generalFaults: Readonly<Record<number, readonly string[]>> = {
  400: ['malformed', 'tooDeep', 'badInput'],
  401: ['notSignedIn'],
  403: ['otherSite'],
  404: ['notFound'],
  405: ['methodNotAllowed'],
  413: ['tooLarge'],
  421: ['wrongHost'],
}

/** Internal details that no response may reveal. */
const internalPatterns = [
  /\n\s+at .+:\d+:\d+/u,
  /node:internal|node_modules|file:\/\//u,
  /\/server\/src\/|\.ts:\d+/u,
  /\b(?:select|insert into|update|delete from)\b.+\b(?:from|values|set|where)\b/iu,
  /violates \w+(?:-\w+)? constraint|duplicate key value|syntax error at or near|invalid input syntax/iu,
  /relation "\w+" does not|column "\w+" (?:of|does)/iu,
  /TypeError|RangeError|ReferenceError|ZodError|is not a function|Cannot read prop/u,
]

export class ReplyChecker {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true })
  readonly #document: object

  constructor({ document }: ApiDescription) {
    addFormats.default(this.#ajv)
    this.#document = document
    this.#ajv.addSchema(this.#document, 'api')
  }

  /** Descriptions of what is wrong with a response; empty if it is valid. */
  findViolations(call: CheckedCall, answer: FuzzResponse): readonly string[] {
    return [...this.#ofStatus(call, answer), ...this.#ofBody(call, answer), ...findLeaks(answer)]
  }

  #ofStatus(call: CheckedCall, { status, text }: FuzzResponse): readonly string[] {
    const { operation, mood, request } = call
    const code = codeOf(text)
    if (isExpectedOfNode(call, status, text)) return []
    if (status >= 500) return isExternalOutage(call, status, code) ? [] : [`answered ${status} ${code}`]
    // A response to HEAD has no body and therefore no code.
    const isCode = request.method === 'HEAD' || generalFaults[status]?.includes(code) === true
    const isGeneral = mood === 'hostile' && status in generalFaults && isCode
    return isGeneral || String(status) in operation.responses
      ? []
      : [`answered ${status} ${code}, which is not declared`]
  }

  #ofBody({ operation, request }: CheckedCall, answer: FuzzResponse): readonly string[] {
    const { status, text } = answer
    if (isNodeReply(status, text) || request.method === 'HEAD') return []
    if (status === 204) return text === '' ? [] : ['answered 204 with a body']
    return status >= 400 ? this.#ofFault(answer) : this.#ofSuccess(operation, answer)
  }

  #ofSuccess(operation: ApiOperation, { status, headers, text }: FuzzResponse): readonly string[] {
    const type = headers['content-type'] ?? ''
    const [declared] = Object.keys(operation.responses[status]?.content ?? {})
    if (declared === undefined) return text === '' ? [] : [`answered a body of ${type} where none is declared`]
    if (!type.startsWith(declared)) return [`answered ${type} where ${declared} is declared`]
    if (declared !== 'application/json') return []
    return this.#fits(`api#${pointerTo(operation, status)}`, text)
  }

  #ofFault({ status, headers, text }: FuzzResponse): readonly string[] {
    if (headers['content-type']?.startsWith('application/json') !== true)
      return [`answered ${status} as ${headers['content-type']}`]
    const code = codeOf(text)
    const declared = Object.entries(faults).find(([name]) => name === code)
    if (declared === undefined) return [`answered the unknown fault ${code}`]
    if (declared[1][0] !== status) return [`answered ${code} with ${status}`]
    return this.#fits('api#/components/schemas/Fault', text)
  }

  #fits(pointer: string, text: string): readonly string[] {
    const parsed = parse(text)
    if (parsed === undefined) return ['answered with invalid JSON']
    const isValid = this.#ajv.getSchema(pointer) ?? this.#ajv.compile({ $ref: pointer })
    return isValid(parsed) === true
      ? []
      : [`answered with a body that its schema does not allow: ${this.#ajv.errorsText(isValid.errors)}`]
  }
}

/** The response to OPTIONS lists the methods of the path. */
export function isOptionsReply({ method }: PlannedCall['request'], status: number): boolean {
  return method === 'OPTIONS' && status === 204
}

/**
 * Node refuses headers and an address that together exceed 16 KiB. The filters of a table are in its address, and
 * percent-encoding makes characters up to twelve times as long.
 */
export const addressMax = 14_000

function isExpectedOfNode({ mood, request }: CheckedCall, status: number, text: string): boolean {
  if (mood === 'hostile') return isNodeReply(status, text) || isOptionsReply(request, status)
  return status === 431 && request.path.length > addressMax
}

/** Node itself responds to input that is not valid HTTP. */
function isNodeReply(status: number, text: string): boolean {
  return status === 431 || (status === 400 && text.includes('"Client Error"'))
}

/** The provider has enabled maintenance mode, or the source of the call is unreachable. */
function isExternalOutage({ operation, request }: CheckedCall, status: number, code: string): boolean {
  if (request.method === 'HEAD') return status === 503
  return code === 'maintained' || (code === 'sourceAway' && String(status) in operation.responses)
}

function findLeaks({ status, text, headers }: FuzzResponse): readonly string[] {
  const all = `${text}\n${JSON.stringify(headers)}`
  const leaked = canaries.filter((canary) => all.includes(canary)).map((canary) => `revealed the secret ${canary}`)
  // Errors of a customer's own database or source are passed on, and the guides of sources contain SQL to copy.
  const isOurs = status >= 400 && !/settingsWrong|sourceRefused|sourceAway/u.test(codeOf(text))
  const inside = (isOurs ? internalPatterns : [])
    .filter((pattern) => pattern.test(text))
    .map((pattern) => `revealed internal details: ${pattern.source}`)
  return [...leaked, ...inside]
}

export function codeOf(text: string): string {
  const parsed = parse(text)
  return typeof parsed === 'object' && parsed !== null && 'code' in parsed ? String(parsed.code) : ''
}

export function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

function pointerTo({ path, method }: ApiOperation, status: number): string {
  const parts = [
    'paths',
    path,
    method.toLowerCase(),
    'responses',
    String(status),
    'content',
    'application/json',
    'schema',
  ]
  return parts.map((part) => `/${encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('')
}
