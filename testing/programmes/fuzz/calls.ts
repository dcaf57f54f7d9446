/** Writes one call: operation, actor, parameters, body, and how broken it is. */
import type { Random } from '@tributary/sims/random'
import type { ActorName } from './actors.ts'
import type { ApiOperation } from './description.ts'
import { generateNamedValue, type CallContext } from './names.ts'
import { generateJson, generateValue, type ValueGenerator } from './schema.ts'
import type { FuzzRequest } from './send.ts'
import { breakBody } from './broken-bodies.ts'

export type CallMood = 'fitting' | 'nearly' | 'hostile'

export interface PlannedCall {
  readonly operation: ApiOperation
  readonly actor: ActorName
  readonly mood: CallMood
  readonly organisationId: string
  /** Ids of an organisation that the caller may not access. */
  readonly foreign: ReadonlySet<string>
  /** Description of the defect. */
  readonly wrong: string
  readonly request: FuzzRequest
}

export interface WrittenCall {
  readonly request: FuzzRequest
  readonly wrong: string
}

/** @param headers credentials of the caller */
export function writeCall(
  context: CallContext,
  mood: CallMood,
  headers: Readonly<Record<string, string>>,
): WrittenCall {
  const { operation, random } = context
  const generator: ValueGenerator = {
    random,
    generateNamed: (name, schema) => generateNamedValue(name, schema, context),
  }
  const wrongs: string[] = []
  const breaksAddress = mood === 'nearly' && (operation.body === undefined || random.next() < 0.2)
  const path = writePath(operation, generator, breaksAddress ? wrongs : null)
  const body = writeBody(operation, generator, mood === 'nearly' && !breaksAddress ? wrongs : null)
  const type =
    body === undefined ? {} : { 'content-type': operation.takesFile ? 'application/octet-stream' : 'application/json' }
  const request = {
    method: operation.method,
    path,
    headers: { ...type, ...headers },
    ...(body !== undefined && { body }),
  }
  return { request, wrong: wrongs.join(', ') }
}

/** @param wrongs collects descriptions of defects; null makes a valid path */
function writePath({ path, parameters }: ApiOperation, generator: ValueGenerator, wrongs: string[] | null): string {
  const { random } = generator
  const brokenName = wrongs === null || parameters.length === 0 ? undefined : random.pick(parameters).name
  const query: string[] = []
  let written = path
  for (const parameter of parameters) {
    const { name, in: where } = parameter
    if (isLeftOut(parameter, brokenName, random)) continue
    const value =
      name === brokenName ? random.pick(oddTexts) : encode(String(generateValue(parameter.schema, name, generator)))
    if (name === brokenName) wrongs?.push(`${name}=${value}`)
    if (where === 'path') written = written.replace(`{${name}}`, () => value)
    else query.push(`${encode(name)}=${value}`)
  }
  if (wrongs !== null && random.next() < 0.3) query.push(random.pick(oddQueries))
  return `/api${written}${query.length === 0 ? '' : `?${query.join('&')}`}`
}

function isLeftOut(
  { name, in: where, required }: ApiOperation['parameters'][number],
  spoilt: string | undefined,
  random: Random,
): boolean {
  return where === 'query' && !required && name !== spoilt && random.next() < 0.55
}

const oddQueries = ['extra=1', '__proto__=1', 'constructor[a]=1', '=', '&', 'page=1&page=2']

/** A lone surrogate cannot be encoded in a URL. */
function encode(text: string): string {
  return encodeURIComponent(text.toWellFormed())
}

/** Already URL-encoded. */
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
  { body, takesFile }: ApiOperation,
  generator: ValueGenerator,
  wrongs: string[] | null,
): string | Buffer | undefined {
  const { random } = generator
  if (takesFile) return writeFile(random)
  if (body === undefined) return undefined
  const value = generateValue(body, '', generator)
  if (wrongs === null) return JSON.stringify(value)
  const { text, what } = breakBody(structuredClone(value), random)
  wrongs.push(what)
  return text
}

function writeFile(random: Random): string | Buffer {
  const rows = Array.from({ length: random.between(0, 6) }, () => JSON.stringify(generateJson(random, 1)))
  const bytes = Buffer.from(Array.from({ length: random.between(0, 300) }, () => random.between(0, 255)))
  return random.pick<string | Buffer>([
    `Amount,Note\n${rows.join('\n')}`,
    'Amount\n1\n2\n',
    bytes,
    Buffer.concat([Buffer.from('PK\u0003\u0004'), bytes]),
  ])
}
