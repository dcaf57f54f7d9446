/** Values from replies that later calls use: ids by organisation and kind, codes, tokens and references. */
import type { Random } from '@tributary/sims/random'

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[1-8][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/u
const idsMax = 60
/** Names of fields that hold codes, tokens and references. */
const reusableNames = new Set(['verificationreference', 'reference', 'code', 'token', 'atid', 'seen'])
/** Synonyms of kinds. */
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
  /** The users that make the calls. They are excluded, because calls that change them would end the programme. */
  readonly #spared: ReadonlySet<string>

  constructor(spared: Iterable<string>) {
    this.#spared = new Set(spared)
  }

  addId(organisationId: string, kind: string, id: string): void {
    if (this.#spared.has(id)) return
    const list = this.#listOf(organisationId, kind)
    if (list.includes(id)) return
    list.push(id)
    // Keeps the first ten, because most other records depend on them.
    if (list.length > idsMax) list.splice(10, 1)
  }

  id(random: Random, organisationId: string, kind: string): string | undefined {
    const list = this.#listOf(organisationId, kind)
    if (list.length === 0) return undefined
    return random.next() < 0.3 ? list.at(-1) : random.pick(list)
  }

  /** Picks an id of any kind. */
  anyId(random: Random, organisationId: string): string | undefined {
    const lists = [...this.#ids].filter(([key, list]) => key.startsWith(organisationId) && list.length > 0)
    return lists.length === 0 ? undefined : random.pick(random.pick(lists)[1])
  }

  word(random: Random, name: string): string | undefined {
    const list = this.#words.get(name.toLowerCase()) ?? []
    return list.length === 0 ? undefined : random.pick(list)
  }

  /** Removes an id that does not exist, or not with that kind. */
  forget(organisationId: string, id: string): void {
    for (const [key, list] of this.#ids) {
      if (key.startsWith(organisationId) && list.includes(id) && list.length > 1) list.splice(list.indexOf(id), 1)
    }
  }

  /**
   * Collects the values of a reply that later calls can use.
   * @param kind kind of the record that the call was about
   */
  learn(reply: unknown, organisationId: string, kind: string): void {
    const parts = [{ value: reply, kind }]
    for (const part of parts) {
      if (typeof part.value !== 'object' || part.value === null) continue
      for (const [name, value] of Object.entries(part.value)) {
        if (typeof value === 'string') this.#learnText(name, value, organisationId, part.kind)
        // The property name of a nested object is its kind; the items of a list have the kind of the list.
        else if (parts.length < 400) parts.push({ value, kind: Array.isArray(part.value) ? part.kind : kindOf(name) })
      }
    }
  }

  #learnText(name: string, value: string, organisationId: string, kind: string): void {
    if (uuid.test(value)) this.addId(organisationId, name === 'Id' || name === 'Reference' ? kind : kindOf(name), value)
    if (reusableNames.has(name.toLowerCase()) && value.length <= 200) this.addWord(name, value)
    // In a trial every caller may read the mailbox, and its messages contain codes and links.
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
