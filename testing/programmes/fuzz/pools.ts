/** What replies told and later calls can name: ids by organisation and kind, and what else opens something. */
import type { Random } from '@tributary/sims/random'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u
const kept = 60
/** Codes, tickets and references, by the names that calls take them under. */
const words = new Set(['verificationreference', 'reference', 'code', 'token', 'atid', 'seen'])
/** Names that mean the same thing. */
const sameKinds: Readonly<Record<string, string>> = {
  helperTable: 'helpertable',
  'permission-group': 'group',
  group: 'group',
  subArea: 'subarea',
  product: 'connector',
  xero2sqlproduct: 'connector',
  xero2SqlProduct: 'connector',
  b2SEntity: 'entity',
  entitie: 'entity',
  change: 'schema-change',
  'oauth-app': 'app',
  verificationDevice: 'device',
}

export function kindOf(name: string): string {
  const stem = name.replace(/Ids?$/u, '').replace(/s$/u, '')
  const first = stem.charAt(0).toLowerCase() + stem.slice(1)
  return (sameKinds[first] ?? first).toLowerCase()
}

export class Pools {
  readonly #ids = new Map<string, string[]>()
  readonly #words = new Map<string, string[]>()
  /** The people who make the calls: were they changed, the programme would saw off its own branch. */
  readonly #spared: ReadonlySet<string>

  constructor(spared: Iterable<string>) {
    this.#spared = new Set(spared)
  }

  addId(organisationId: string, kind: string, id: string): void {
    if (this.#spared.has(id)) return
    const list = this.#listOf(organisationId, kind)
    if (list.includes(id)) return
    list.push(id)
    // The first few are those that everything else hangs on.
    if (list.length > kept) list.splice(10, 1)
  }

  id(random: Random, organisationId: string, kind: string): string | undefined {
    const list = this.#listOf(organisationId, kind)
    if (list.length === 0) return undefined
    return random.next() < 0.3 ? list.at(-1) : random.pick(list)
  }

  /** Of whatever kind. */
  anyId(random: Random, organisationId: string): string | undefined {
    const lists = [...this.#ids].filter(([key, list]) => key.startsWith(organisationId) && list.length > 0)
    return lists.length === 0 ? undefined : random.pick(random.pick(lists)[1])
  }

  word(random: Random, name: string): string | undefined {
    const list = this.#words.get(name.toLowerCase()) ?? []
    return list.length === 0 ? undefined : random.pick(list)
  }

  /** It is no longer there, or never was of that kind. */
  forget(organisationId: string, id: string): void {
    for (const [key, list] of this.#ids) {
      if (key.startsWith(organisationId) && list.includes(id) && list.length > 1) list.splice(list.indexOf(id), 1)
    }
  }

  /** Takes from a reply whatever a later call could name. @param kind of what the call was about */
  learn(reply: unknown, organisationId: string, kind: string): void {
    const parts = [{ value: reply, kind }]
    for (const part of parts) {
      if (typeof part.value !== 'object' || part.value === null) continue
      for (const [name, value] of Object.entries(part.value)) {
        if (typeof value === 'string') this.#learnText(name, value, organisationId, part.kind)
        // The id of a thing inside is of the kind that its place is named for; a list is of what it is a list of.
        else if (parts.length < 400) parts.push({ value, kind: Array.isArray(part.value) ? part.kind : kindOf(name) })
      }
    }
  }

  #learnText(name: string, value: string, organisationId: string, kind: string): void {
    if (uuid.test(value)) this.addId(organisationId, name === 'Id' || name === 'Reference' ? kind : kindOf(name), value)
    if (words.has(name.toLowerCase()) && value.length <= 200) this.addWord(name, value)
    // In a trial anybody may read the mailbox, whose letters hold codes and links.
    if (name !== 'Text') return
    for (const [, key = '', found = ''] of value.matchAll(/[?&](code|token|atid)=([\w.-]+)/gu)) this.addWord(key, found)
    for (const [code] of value.matchAll(/(?<![\w.-])\d{6}(?![\w.-])/gu)) this.addWord('verificationCode', code)
  }

  addWord(name: string, value: string): void {
    const key = name.toLowerCase()
    this.#words.set(key, [...(this.#words.get(key) ?? []).filter((one) => one !== value), value].slice(-20))
  }

  #listOf(organisationId: string, kind: string): string[] {
    const key = `${organisationId} ${kind}`
    const list = this.#ids.get(key) ?? []
    this.#ids.set(key, list)
    return list
  }
}
