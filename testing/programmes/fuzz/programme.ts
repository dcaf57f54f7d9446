/** The programme: writes calls, makes them, judges the answers, and remembers enough to make them once more. */
import type { Random } from '@tributary/sims/random'
import { type Actors, turns, type ActorName } from './actors.ts'
import { writeCall, type Mood, type Planned } from './calls.ts'
import type { Description, Operation } from './description.ts'
import { makeHostile } from './hostile.ts'
import { codeOf, Judge, parse } from './check-reply.ts'
import { type Fixed, type Place, subjectOf } from './names.ts'
import { kindOf, type Pools } from './pools.ts'
import type { Answer, Sender } from './send.ts'
import type { StoreTruth } from './store-truth.ts'

export interface Around {
  readonly random: Random
  readonly description: Description
  readonly sender: Sender
  readonly actors: Actors
  readonly pools: Pools
  readonly fixed: Fixed
  readonly truth: StoreTruth
  readonly organisations: readonly [harbour: string, summit: string]
  /** Lines that the server has logged. */
  readonly logLines: readonly string[]
}

const uuids = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gu
const remembered = 20
const shownMax = 2_000

export class Programme {
  readonly #around: Around
  readonly #judge: Judge
  readonly #latest: string[] = []
  #readLines = 0
  #number = 0
  /** By status, and from 500 on by the fault's code, too. */
  readonly statuses = new Map<string, number>()
  /** Calls that succeeded, by the route's name. */
  readonly successes = new Map<string, number>()
  /** What was wrong, each kind once, with the first call that showed it. */
  readonly violations = new Map<string, string>()

  constructor(around: Around) {
    this.#around = around
    this.#judge = new Judge(around.description)
  }

  get operations(): readonly Operation[] {
    return this.#around.description.operations
  }

  /** One call. */
  async step(): Promise<void> {
    this.#number += 1
    const planned = this.#plan()
    const shown = showCall(this.#number, planned)
    let answer: Answer
    try {
      answer = await this.#around.sender.send(planned.sent, planned.mood === 'hostile' ? 'alone' : 'shared')
    } catch (error) {
      // Node hangs up on what it cannot take for HTTP, and its own client refuses to write some of it.
      if (planned.mood === 'hostile') return
      this.#note([`no answer: ${String(error)}`], planned, shown)
      return
    }
    this.#remember(`${shown}\n  → ${answer.status} ${codeOf(answer.text)}`)
    this.#count(planned, answer)
    const wrong = [
      ...this.#judge.faultsOf(planned, answer),
      ...(await this.#trespass(planned, answer)),
      ...this.#newErrors(answer),
    ]
    this.#note(wrong, planned, `${shown}\n  → ${answer.status} ${answer.text.slice(0, shownMax)}`)
    await this.#learn(planned, answer)
  }

  #plan(): Planned {
    const { random, actors, pools, fixed, organisations, description } = this.#around
    const operation = this.#pickOperation()
    const actor = random.pick(turns)
    const own = actor === 'superadmin' && random.next() < 0.12 ? organisations[1] : actors.organisationOf(actor)
    const chance = random.next()
    const mood: Mood = chance < 0.62 ? 'fitting' : chance < 0.86 ? 'nearly' : 'hostile'
    const trespasses = actor !== 'superadmin' && random.next() < 0.1
    const foreignId = trespasses ? (organisations.find((one) => one !== own) ?? null) : null
    const named = new Set<string>()
    const place: Place = { operation, organisationId: own, foreignId, named, pools, random, fixed }
    const cookies = operation.path.startsWith('/auth') && random.next() < 0.7 ? { cookie: actors.cookiesOf(actor) } : {}
    const written = writeCall(place, mood, { ...actors.headersOf(actor), ...cookies })
    const base = { operation, actor, mood, organisationId: own, foreign: named }
    if (mood !== 'hostile') return { ...base, ...written }
    const { sent, what } = makeHostile(written.sent, random)
    // With another method it may be another call, and is judged as that.
    const meant = description.operations.find(
      ({ path, method }) => path === operation.path && method === calledBy(sent.method),
    )
    return { ...base, operation: meant ?? operation, sent, wrong: what }
  }

  /** Of a few the one that has succeeded least often: what is hard to reach is tried more. */
  #pickOperation(): Operation {
    const { random, description } = this.#around
    const some = Array.from({ length: random.next() < 0.6 ? 3 : 1 }, () => random.pick(description.operations))
    const [least] = some.toSorted((one, other) => this.#successesOf(one) - this.#successesOf(other))
    return least ?? random.pick(description.operations)
  }

  #successesOf({ name }: Operation): number {
    return this.successes.get(name) ?? 0
  }

  #count({ operation, mood }: Planned, { status, text }: Answer): void {
    const told = status < 500 ? `${status}` : `${status} ${codeOf(text)}`
    this.statuses.set(told, (this.statuses.get(told) ?? 0) + 1)
    if (status < 300 && mood !== 'hostile') this.successes.set(operation.name, this.#successesOf(operation) + 1)
  }

  /** Whether somebody has reached what is another organisation's. */
  async #trespass({ actor, foreign, operation }: Planned, { status, text }: Answer): Promise<readonly string[]> {
    const userId = this.#around.actors.idOf(actor)
    // A list that is narrowed by something foreign is as empty as one that is narrowed by nothing known.
    const foundNothing = operation.method === 'GET' && text === '[]'
    if (status >= 300 || foundNothing || foreign.size === 0 || userId === undefined) return []
    const ids = await this.#around.truth.foreignTo(userId, foreign)
    return ids.length === 0 ? [] : [`answered ${status} though ${ids.join(', ')} is another organisation's`]
  }

  #newErrors({ status }: Answer): readonly string[] {
    const { logLines } = this.#around
    const fresh = logLines.slice(this.#readLines)
    this.#readLines = logLines.length
    const isKnown = (line: string) => status === 503 && line.includes('call failed')
    return fresh
      .filter((line) => /"level":"(?:error|fatal)"/u.test(line) && !isKnown(line))
      .map((line) => `logged an error: ${line.slice(0, 300)}`)
  }

  async #learn(planned: Planned, { status, text }: Answer): Promise<void> {
    const { actor, operation, organisationId, mood } = planned
    const { actors, pools } = this.#around
    if (mood === 'fitting') this.#forget(planned, status)
    if (status === 401 && !operation.isOpen && mood !== 'hostile' && !actors.isStranger(actor))
      await actors.revive(actor)
    if (status < 300 && text.length <= 300_000)
      pools.learn(parse(text), organisationId, kindOf(subjectOf(operation.path)))
  }

  /** What was deleted, and what was not there, is not named any more. */
  #forget({ operation, organisationId, sent, foreign }: Planned, status: number): void {
    const isGone = status === 404 || (status < 300 && operation.method === 'DELETE')
    const last = sent.path.match(uuids)?.at(-1)
    if (isGone && foreign.size === 0 && last !== undefined) this.#around.pools.forget(organisationId, last)
  }

  #remember(line: string): void {
    this.#latest.push(line)
    if (this.#latest.length > remembered) this.#latest.shift()
  }

  #note(wrong: readonly string[], { operation }: Planned, shown: string): void {
    for (const one of wrong) {
      const kind = `${operation.name} ${one}`.replaceAll(/[0-9a-f-]{36}/gu, '…').slice(0, 400)
      if (!this.violations.has(kind))
        this.violations.set(kind, `${one}\n${shown}\nThe latest calls:\n${this.#latest.join('\n')}`)
    }
  }
}

/** HEAD is a GET without a body. */
function calledBy(method: string): string {
  return method === 'HEAD' ? 'GET' : method
}

function showCall(number: number, { actor, mood, wrong, sent }: Planned): string {
  const body = sent.body === undefined ? '' : ` ${sent.body.toString().slice(0, shownMax)}`
  const headers = Object.entries(sent.headers).map(([name, value]) => `${name}: ${value.slice(0, 60)}`)
  return `#${number} ${showActor(actor)}, ${mood}${wrong === '' ? '' : ` (${wrong})`}: ${sent.method} ${sent.path.slice(0, shownMax)} [${headers.join('; ')}]${body}`
}

function showActor(actor: ActorName): string {
  return actor.toUpperCase()
}
