/** The parts of the address with which a sample was read. */
import type { Guess } from './draft-model.ts'
import { DraftRefused } from './draft-refused.ts'
import { likelySince } from './guesses.ts'

export interface AddressParts {
  readonly base: Guess<string>
  readonly title: Guess<string>
  readonly path: string
  /** Parameters that are no part of paging. */
  readonly query: Readonly<Record<string, string>>
  readonly parameters: readonly string[]
  /** The size of a page, if a parameter says so. */
  readonly rows: number | null
  /** Names the records. */
  readonly lastOfPath: string
  readonly isKnown: boolean
}

const pagingParameter =
  /^(?:limit|per_?page|page(?:_?(?:size|number|no|token))?|size|offset|skip|cursor|after|starting_?after|\$top|\$skip|start)$/iu
const sizeParameter = /^(?:limit|per_?page|page_?size|size|\$top)$/iu

export function addressParts(address: string | undefined): AddressParts {
  if (address === undefined || address === '')
    return {
      base: { value: 'https://api.example.com/', check: 'the address of the API' },
      title: { value: 'New source', check: 'the name of the source' },
      path: 'records',
      query: {},
      parameters: [],
      rows: null,
      lastOfPath: 'record',
      isKnown: false,
    }
  const url = URL.parse(address)
  if (url === null || !isWebAddress(url))
    throw new DraftRefused(`${address} is not an address that begins with https://.`)
  const parts = url.pathname.split('/').filter((part) => part !== '')
  const last = decodeURIComponent(parts.at(-1) ?? 'record').replace(/\.\w+$/u, '')
  const parameters = [...url.searchParams.keys()]
  const since = likelySince(parameters)
  const size = [...url.searchParams].find(([name]) => sizeParameter.test(name))?.[1]
  return {
    base: {
      value: `${url.origin}/${parts
        .slice(0, -1)
        .map((part) => `${part}/`)
        .join('')}`,
    },
    title: { value: titleOf(url.hostname), check: 'the name of the source' },
    path: parts.at(-1) ?? 'records',
    query: Object.fromEntries([...url.searchParams].filter(([name]) => !pagingParameter.test(name) && name !== since)),
    parameters,
    rows: size !== undefined && /^\d{1,4}$/u.test(size) ? Math.max(2, Number(size)) : null,
    lastOfPath: last,
    isKnown: true,
  }
}

/** Plain HTTP only to this computer. */
export function isWebAddress({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && (hostname === 'localhost' || hostname === '127.0.0.1'))
}

/** `api.orchard.example` becomes `Orchard`. */
export function titleOf(host: string): string {
  const labels = host.split('.').filter((label) => !['api', 'www', 'rest', 'app', 'v1', 'v2'].includes(label))
  const name = /^\d+$/u.test(labels[0] ?? '') || labels[0] === 'localhost' ? 'New source' : (labels[0] ?? 'New source')
  return name.charAt(0).toUpperCase() + name.slice(1)
}
