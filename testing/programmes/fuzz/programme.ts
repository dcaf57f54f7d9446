/** Generates calls, sends them, checks the responses, and logs enough to reproduce a violation. */
import type { Random } from '@tributary/sims/random'
import { type Actors, weightedActors, type ActorName } from './actors.ts'
import { writeCall, type CallMood, type PlannedCall } from './calls.ts'
import type { ApiDescription, ApiOperation } from './description.ts'
import { makeHostile } from './hostile.ts'
import { addressMax, codeOf, isOptionsReply, ReplyChecker, parse } from './check-reply.ts'
import { type FuzzFixtures, type CallContext, subjectOf } from './names.ts'
import { kindOf, type Pools } from './pools.ts'
import type { FuzzResponse, RequestSender } from './send.ts'
import type { StoreTruth } from './store-truth.ts'

export interface FuzzEnvironment {
  readonly random: Random
  readonly description: ApiDescription
  readonly sender: RequestSender
  readonly actors: Actors
  readonly pools: Pools
  readonly fixed: FuzzFixtures
  readonly truth: StoreTruth
  readonly organisations: readonly [harbour: string, summit: string]
  /** Log lines of the server. */
  readonly logLines: readonly string[]
}

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu
const remembered = 20
const shownMax = 2_000

export class FuzzProgramme {
  readonly #environment: FuzzEnvironment
  readonly #checker: ReplyChecker
  readonly #latest: string[] = []
  #readLines = 0
  #number = 0
  /** Number of responses by status; for 500 and above also by fault code. */
  readonly statuses = new Map<string, number>()
  /** Number of successful calls by route name. */
  readonly successes = new Map<string, number>()
  /** Violations by kind, each with the first call that caused it. */
  readonly violations = new Map<string, string>()

  constructor(environment: FuzzEnvironment) {
    this.#environment = environment
    this.#checker = new ReplyChecker(environment.description)
  }

  get operations(): readonly ApiOperation[] {
    return this.#environment.description.operations
  }

  async step(): Promise<void> {
    this.#number += 1
    const planned = this.#plan()
    const shown = showCall(this.#number, planned)
    let answer: FuzzResponse
    try {
      answer = await this.#environment.sender.send(
        planned.request,
        planned.mood === 'hostile' || planned.request.path.length > addressMax ? 'alone' : 'shared',
      )
    } catch (error) {
      // Node closes the connection on invalid HTTP, and its HTTP client refuses to send some of it.
      if (planned.mood === 'hostile') return
      this.#note([`no answer: ${String(error)}`], planned, shown)
      return
    }
    this.#remember(`${shown}\n  → ${answer.status} ${codeOf(answer.text)}`)
    this.#count(planned, answer)
    const wrong = [
      ...this.#checker.findViolations(planned, answer),
      ...(await this.#trespass(planned, answer)),
      ...this.#newErrors(answer),
    ]
    this.#note(wrong, planned, `${shown}\n  → ${answer.status} ${answer.text.slice(0, shownMax)}`)
    await this.#learn(planned, answer)
  }

  #plan(): PlannedCall {
    const { random, actors, pools, fixed, organisations, description } = this.#environment
    const operation = this.#pickOperation()
    const actor = random.pick(weightedActors)
    const own = actor === 'superadmin' && random.next() < 0.12 ? organisations[1] : actors.organisationOf(actor)
    const chance = random.next()
    const mood: CallMood = chance < 0.62 ? 'fitting' : chance < 0.86 ? 'nearly' : 'hostile'
    const trespasses = actor !== 'superadmin' && random.next() < 0.1
    const foreignId = trespasses ? (organisations.find((one) => one !== own) ?? null) : null
    const named = new Set<string>()
    const context: CallContext = { operation, organisationId: own, foreignId, named, pools, random, fixed }
    const cookies = operation.path.startsWith('/auth') && random.next() < 0.7 ? { cookie: actors.cookiesOf(actor) } : {}
    const written = writeCall(context, mood, { ...actors.headersOf(actor), ...cookies })
    const base = { operation, actor, mood, organisationId: own, foreign: named }
    if (mood !== 'hostile') return { ...base, ...written }
    const { request, what } = makeHostile(written.request, random)
    // With another method it may be another operation, and is checked as that one.
    const meant = description.operations.find(
      ({ path, method }) => path === operation.path && method === calledBy(request.method),
    )
    return { ...base, operation: meant ?? operation, request, wrong: what }
  }

  /** Picks the operation with the fewest successes of a random sample, so that hard ones are tried more often. */
  #pickOperation(): ApiOperation {
    const { random, description } = this.#environment
    const some = Array.from({ length: random.next() < 0.6 ? 3 : 1 }, () => random.pick(description.operations))
    const [least] = some.toSorted((one, other) => this.#successesOf(one) - this.#successesOf(other))
    return least ?? random.pick(description.operations)
  }

  #successesOf({ name }: ApiOperation): number {
    return this.successes.get(name) ?? 0
  }

  #count({ operation, mood }: PlannedCall, { status, text }: FuzzResponse): void {
    const key = status < 500 ? `${status}` : `${status} ${codeOf(text)}`
    this.statuses.set(key, (this.statuses.get(key) ?? 0) + 1)
    if (status < 300 && mood !== 'hostile') this.successes.set(operation.name, this.#successesOf(operation) + 1)
  }

  /** Reports a successful call that used ids of another organisation. */
  async #trespass(
    { actor, foreign, operation, request }: PlannedCall,
    { status, text }: FuzzResponse,
  ): Promise<readonly string[]> {
    const userId = this.#environment.actors.idOf(actor)
    // A filter by a foreign id returns the same empty list as a filter by an unknown id.
    const foundNothing = operation.method === 'GET' && text === '[]'
    // The methods of a path are the same for every organisation.
    const isMethodList = isOptionsReply(request, status) && text === ''
    if (status >= 300 || foundNothing || isMethodList || foreign.size === 0 || userId === undefined) return []
    const ids = await this.#environment.truth.findForeignIds(userId, foreign)
    return ids.length === 0 ? [] : [`answered ${status} though ${ids.join(', ')} is another organisation's`]
  }

  #newErrors({ status }: FuzzResponse): readonly string[] {
    const { logLines } = this.#environment
    const fresh = logLines.slice(this.#readLines)
    this.#readLines = logLines.length
    // The secrets of the fixtures are not encrypted, so that a call that needs one is refused.
    const isKnown = (line: string) =>
      (status === 503 && line.includes('call failed')) || (status === 422 && line.includes('"secret.unreadable"'))
    return fresh
      .filter((line) => /"level":"(?:error|fatal)"/u.test(line) && !isKnown(line))
      .map((line) => `logged an error: ${line.slice(0, 300)}`)
  }

  async #learn(planned: PlannedCall, { status, text }: FuzzResponse): Promise<void> {
    const { actor, operation, organisationId, mood } = planned
    const { actors, pools } = this.#environment
    if (mood === 'fitting') this.#forget(planned, status)
    if (status === 401 && !operation.isOpen && mood !== 'hostile' && !actors.isStranger(actor))
      await actors.signInAgain(actor)
    if (status < 300 && text.length <= 300_000)
      pools.learn(parse(text), organisationId, kindOf(subjectOf(operation.path)))
  }

  /** Removes deleted and missing ids from the pools. */
  #forget({ operation, organisationId, request, foreign }: PlannedCall, status: number): void {
    const isGone = status === 404 || (status < 300 && operation.method === 'DELETE')
    const last = request.path.match(uuids)?.at(-1)
    if (isGone && foreign.size === 0 && last !== undefined) this.#environment.pools.forget(organisationId, last)
  }

  #remember(line: string): void {
    this.#latest.push(line)
    if (this.#latest.length > remembered) this.#latest.shift()
  }

  #note(wrong: readonly string[], { operation }: PlannedCall, shown: string): void {
    for (const one of wrong) {
      const kind = `${operation.name} ${one}`.replaceAll(/[0-9a-f-]{36}/gu, '…').slice(0, 400)
      if (!this.violations.has(kind))
        this.violations.set(kind, `${one}\n${shown}\nThe latest calls:\n${this.#latest.join('\n')}`)
    }
  }
}

/** HEAD is checked as a GET without a body. */
function calledBy(method: string): string {
  return method === 'HEAD' ? 'GET' : method
}

function showCall(number: number, { actor, mood, wrong, request }: PlannedCall): string {
  const body = request.body === undefined ? '' : ` ${request.body.toString().slice(0, shownMax)}`
  const headers = Object.entries(request.headers).map(([name, value]) => `${name}: ${value.slice(0, 60)}`)
  return `#${number} ${showActor(actor)}, ${mood}${wrong === '' ? '' : ` (${wrong})`}: ${request.method} ${request.path.slice(0, shownMax)} [${headers.join('; ')}]${body}`
}

function showActor(actor: ActorName): string {
  return actor.toUpperCase()
}
