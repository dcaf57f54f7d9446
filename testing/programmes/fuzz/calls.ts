/** One call: which, by whom, about what, and in which mood. */
import type { Random } from '@tributary/sims/random'
import type { ActorName } from './actors.ts'
import type { Operation } from './description.ts'
import { namedValue, type Place } from './names.ts'
import { anything, fitting, type Wanted } from './schema.ts'
import type { Sent } from './send.ts'
import { makeWrong } from './broken-bodies.ts'

export type Mood = 'fitting' | 'nearly' | 'hostile'

export interface Planned {
  readonly operation: Operation
  readonly actor: ActorName
  readonly mood: Mood
  readonly organisationId: string
  /** Ids of an organisation in which the caller has no business. */
  readonly foreign: ReadonlySet<string>
  /** What was made wrong. */
  readonly wrong: string
  readonly sent: Sent
}

export interface Written {
  readonly sent: Sent
  readonly wrong: string
}

/** @param headers of the caller */
export function writeCall(place: Place, mood: Mood, headers: Readonly<Record<string, string>>): Written {
  const { operation, random } = place
  const wanted: Wanted = { random, named: (name, schema) => namedValue(name, schema, place) }
  const wrongs: string[] = []
  const breaksAddress = mood === 'nearly' && (operation.body === undefined || random.next() < 0.2)
  const path = writePath(operation, wanted, breaksAddress ? wrongs : null)
  const body = writeBody(operation, wanted, mood === 'nearly' && !breaksAddress ? wrongs : null)
  const type =
    body === undefined ? {} : { 'content-type': operation.takesFile ? 'application/octet-stream' : 'application/json' }
  const sent = { method: operation.method, path, headers: { ...type, ...headers }, ...(body !== undefined && { body }) }
  return { sent, wrong: wrongs.join(', ') }
}

/** @param wrongs where what is made wrong is told; null: nothing is. */
function writePath({ path, parameters }: Operation, wanted: Wanted, wrongs: string[] | null): string {
  const { random } = wanted
  const spoilt = wrongs === null || parameters.length === 0 ? undefined : random.pick(parameters).name
  const query: string[] = []
  let written = path
  for (const parameter of parameters) {
    const { name, in: where } = parameter
    if (isLeftOut(parameter, spoilt, random)) continue
    const value = name === spoilt ? random.pick(oddTexts) : encode(String(fitting(parameter.schema, name, wanted)))
    if (name === spoilt) wrongs?.push(`${name}=${value}`)
    if (where === 'path') written = written.replace(`{${name}}`, () => value)
    else query.push(`${encode(name)}=${value}`)
  }
  if (wrongs !== null && random.next() < 0.3) query.push(random.pick(oddQueries))
  return `/api${written}${query.length === 0 ? '' : `?${query.join('&')}`}`
}

function isLeftOut(
  { name, in: where, required }: Operation['parameters'][number],
  spoilt: string | undefined,
  random: Random,
): boolean {
  return where === 'query' && !required && name !== spoilt && random.next() < 0.55
}

const oddQueries = ['extra=1', '__proto__=1', 'constructor[a]=1', '=', '&', 'page=1&page=2']

/** Half a pair has no form in an address. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** As they stand in an address. */
const oddTexts = [
  [
    '',
    '%00',
    '%0A',
    '%20',
    '-1',
    '0',
    '1e9',
    '99999999999999999999',
    'NaN',
    'null',
    'undefined',
    'true',
    '[]',
    '%7B%7D',
  ],
  [
    '%2e%2e',
    '%252e%252e%252f',
    '..%2F..%2Fetc%2Fpasswd',
    '%c3%28',
    '%ed%a0%80',
    '%F0%9F%99%82',
    'a'.repeat(299),
    'a'.repeat(5_000),
  ],
  [
    '00000000-0000-0000-0000-000000000000',
    'FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF',
    '%27%20OR%201%3D1--',
    '__proto__',
    'constructor',
  ],
  ['2026-02-30', '0000-00-00', '275760-09-14', '+1', '1,2', '%EF%BC%91', '0x10', '1_000', '%E2%80%AEabc'],
].flat()

function writeBody(
  { body, takesFile }: Operation,
  wanted: Wanted,
  wrongs: string[] | null,
): string | Buffer | undefined {
  const { random } = wanted
  if (takesFile) return writeFile(random)
  if (body === undefined) return undefined
  const value = fitting(body, '', wanted)
  if (wrongs === null) return JSON.stringify(value)
  const { text, what } = makeWrong(structuredClone(value), random)
  wrongs.push(what)
  return text
}

function writeFile(random: Random): string | Buffer {
  const rows = Array.from({ length: random.between(0, 6) }, () => JSON.stringify(anything(random, 1)))
  const bytes = Buffer.from(Array.from({ length: random.between(0, 300) }, () => random.between(0, 255)))
  return random.pick<string | Buffer>([
    `Amount,Note\n${rows.join('\n')}`,
    'Amount\n1\n2\n',
    bytes,
    Buffer.concat([Buffer.from('PK\u0003\u0004'), bytes]),
  ])
}
