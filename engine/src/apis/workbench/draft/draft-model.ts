/** A description that is being drafted: its parts, and what a person has to check about them. */
import { toSnakeCase } from '../../http/fields.ts'

export interface DraftColumn {
  readonly name: string
  readonly type: string
  readonly at: string
  readonly format?: string
  readonly about?: string
  /** What a person has to check: the draft had to guess. */
  readonly check?: string
}

export interface DraftChild {
  readonly name: string
  readonly records: string
  readonly key?: readonly string[]
  readonly columns: readonly DraftColumn[]
}

export interface DraftStream {
  readonly name: string
  readonly path: string
  readonly query?: Readonly<Record<string, string>>
  readonly records: string
  readonly paging: Guess<object>
  readonly key: Guess<readonly string[]>
  readonly changes?: Guess<object>
  readonly about?: string
  readonly columns: readonly DraftColumn[]
  readonly children: readonly DraftChild[]
}

/** A value, and what a person has to check about it; absent if the document says it. */
export interface Guess<Value> {
  readonly value: Value
  readonly check?: string
}

export interface DraftSetting {
  readonly label: string
  readonly kind?: 'secret'
}

export interface SourceParts {
  readonly title: Guess<string>
  readonly base: Guess<string>
  readonly settings: Readonly<Record<string, DraftSetting>>
  readonly signIn: Guess<object>
}

export interface RestDraft extends SourceParts {
  readonly streams: readonly DraftStream[]
  /** For people: what was left out, and why. */
  readonly notes: readonly string[]
}

export interface DraftSet {
  readonly name: string
  readonly key?: Guess<readonly string[]>
  readonly changes?: Guess<object>
}

export interface ODataDraft extends SourceParts {
  readonly literals: 'v3' | 'v4'
  readonly sets: readonly DraftSet[]
  readonly notes: readonly string[]
}

/** Names of columns, tables and settings, each once. */
export class UniqueNames {
  readonly #taken = new Set<string>()

  /** @param candidates the first that is free is used, or else the last with a number */
  take(...candidates: readonly string[]): string {
    const names = candidates.map(plainName)
    const free = names.find((name) => !this.#taken.has(name))
    let name = free ?? names.at(-1) ?? 'x'
    for (let suffix = 2; this.#taken.has(name); suffix += 1) name = `${(names.at(-1) ?? 'x').slice(0, 55)}_${suffix}`
    this.#taken.add(name)
    return name
  }
}

/** In characters of the name that the API has. */
const namesMax = 200

/** `Last-Modified.At` becomes `last_modified_at`. */
function plainName(text: string): string {
  const snake = toSnakeCase(text.slice(0, namesMax))
    .normalize('NFKD')
    .replaceAll(/[^a-z0-9]+/gu, '_')
    .replaceAll(/^_+|_+$/gu, '')
  const name = /^[a-z]/u.test(snake) ? snake : `n_${snake}`
  return name.slice(0, 60).replace(/_+$/u, '')
}

/** `company_id` becomes `companyId`, as settings are written. */
export function settingNameOf(text: string): string {
  const name = plainName(text).replaceAll(/_([a-z0-9])/gu, (_, letter: string) => letter.toUpperCase())
  return name.slice(0, 40)
}
