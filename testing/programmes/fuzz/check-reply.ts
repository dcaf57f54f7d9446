/** What must hold of every answer. */
import { faults } from '@tributary/contract/faults'
import { Ajv2020 } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'
import type { Planned } from './calls.ts'
import type { Description, Operation } from './description.ts'
import { canaries } from './names.ts'
import type { Answer } from './send.ts'

type Judged = Pick<Planned, 'operation' | 'mood' | 'sent'>

/** What an answer may be before it is known which call is meant: they are no calls of the description. */
const general: Readonly<Record<number, readonly string[]>> = {
  400: ['malformed', 'tooDeep', 'badInput'],
  401: ['notSignedIn'],
  403: ['otherSite'],
  404: ['notFound'],
  405: ['methodNotAllowed'],
  413: ['tooLarge'],
  421: ['wrongHost'],
}

/** Of the inside; nobody outside has a use for it. */
const insides = [
  /\n\s+at .+:\d+:\d+/u,
  /node:internal|node_modules|file:\/\//u,
  /\/server\/src\/|\.ts:\d+/u,
  /\b(?:select|insert into|update|delete from)\b.+\b(?:from|values|set|where)\b/iu,
  /violates \w+(?:-\w+)? constraint|duplicate key value|syntax error at or near|invalid input syntax/iu,
  /relation "\w+" does not|column "\w+" (?:of|does)/iu,
  /TypeError|RangeError|ReferenceError|ZodError|is not a function|Cannot read prop/u,
]

export class Judge {
  readonly #ajv = new Ajv2020({ strict: false, allErrors: false, validateFormats: true })
  readonly #document: object

  constructor({ document }: Description) {
    addFormats.default(this.#ajv)
    this.#document = document
    this.#ajv.addSchema(this.#document, 'api')
  }

  /** What is wrong with an answer; empty where it is as it must be. */
  faultsOf(call: Judged, answer: Answer): readonly string[] {
    return [...this.#ofStatus(call, answer), ...this.#ofBody(call, answer), ...ofWords(answer)]
  }

  #ofStatus(call: Judged, { status, text }: Answer): readonly string[] {
    const { operation, mood, sent } = call
    const code = codeOf(text)
    if (mood === 'hostile' && (isNodes(status, text) || isMethods(sent, status))) return []
    if (status >= 500) return isNotOurs(call, status, code) ? [] : [`answered ${status} ${code}`]
    // HEAD is answered without a body, and so without a code.
    const isCode = sent.method === 'HEAD' || general[status]?.includes(code) === true
    const isGeneral = mood === 'hostile' && status in general && isCode
    return isGeneral || String(status) in operation.responses
      ? []
      : [`answered ${status} ${code}, which is not declared`]
  }

  #ofBody({ operation, sent }: Judged, answer: Answer): readonly string[] {
    const { status, text } = answer
    if (isNodes(status, text) || sent.method === 'HEAD') return []
    if (status === 204) return text === '' ? [] : ['answered 204 with a body']
    return status >= 400 ? this.#ofFault(answer) : this.#ofSuccess(operation, answer)
  }

  #ofSuccess(operation: Operation, { status, headers, text }: Answer): readonly string[] {
    const type = headers['content-type'] ?? ''
    const [declared] = Object.keys(operation.responses[status]?.content ?? {})
    if (declared === undefined) return text === '' ? [] : [`answered a body of ${type} where none is declared`]
    if (!type.startsWith(declared)) return [`answered ${type} where ${declared} is declared`]
    if (declared !== 'application/json') return []
    return this.#fits(`api#${pointerTo(operation, status)}`, text)
  }

  #ofFault({ status, headers, text }: Answer): readonly string[] {
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
    if (parsed === undefined) return ['answered what is no JSON']
    const isValid = this.#ajv.getSchema(pointer) ?? this.#ajv.compile({ $ref: pointer })
    return isValid(parsed) === true
      ? []
      : [`answered what its schema does not allow: ${this.#ajv.errorsText(isValid.errors)}`]
  }
}

/** OPTIONS is answered with the methods of the path. */
function isMethods({ method }: Planned['sent'], status: number): boolean {
  return method === 'OPTIONS' && status === 204
}

/** Node itself answers what it cannot take for HTTP. */
function isNodes(status: number, text: string): boolean {
  return status === 431 || (status === 400 && text.includes('"Client Error"'))
}

/** The provider has switched us off, or a call that asks a source finds it away. */
function isNotOurs({ operation, sent }: Judged, status: number, code: string): boolean {
  if (sent.method === 'HEAD') return status === 503
  return code === 'maintained' || (code === 'sourceAway' && String(status) in operation.responses)
}

function ofWords({ status, text, headers }: Answer): readonly string[] {
  const all = `${text}\n${JSON.stringify(headers)}`
  const leaked = canaries.filter((canary) => all.includes(canary)).map((canary) => `told the secret ${canary}`)
  // What a customer's own database or source said is told to them, and the guides of sources hold statements to copy.
  const isOurs = status >= 400 && !/settingsWrong|sourceRefused|sourceAway/u.test(codeOf(text))
  const inside = (isOurs ? insides : [])
    .filter((pattern) => pattern.test(text))
    .map((pattern) => `told of the inside: ${pattern.source}`)
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

function pointerTo({ path, method }: Operation, status: number): string {
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
