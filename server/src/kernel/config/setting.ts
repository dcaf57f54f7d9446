/** How a setting is declared: once, for the given, for the list of what is wrong, and for the documents. */

export type Mode = 'trial' | 'production'
export type Environment = Readonly<Record<string, string | undefined>>

/** As it would be written in the environment. */
type Initial = string | { readonly trial?: string; readonly production?: string }

interface Told {
  /** For the documents, in a sentence or two. */
  readonly meaning: string
  /** Production does not start without it. */
  readonly isNeeded?: true
  readonly example?: string
  /** How the documents name what holds without it, where that depends on other settings. */
  readonly otherwise?: string
  /**
   * `whole`: never shown; `password`: an address that may hold one. Either may also lie in a file that NAME_FILE names, and
   * is taken out of the environment once it is read.
   */
  readonly secret?: 'whole' | 'password'
}

export interface Setting<T = unknown> extends Told {
  /** Of a family, with `<NAME>` where each member has its own. */
  readonly name: string
  readonly initial?: Initial
  /** The values that it may have, where they can be listed. */
  readonly choices?: readonly string[]
  /** Adds to `problems` what is wrong. */
  readonly parse: (text: string | undefined, problems: string[]) => T
}

export interface Given {
  readonly env: Environment
  readonly mode: Mode
  readonly problems: string[]
}

export function read<T>(setting: Setting<T>, { env, mode, problems }: Given): T {
  return setting.parse(env[setting.name] ?? initialOf(setting, mode), problems)
}

export function initialOf({ initial }: Setting, mode: Mode): string | undefined {
  return typeof initial === 'object' ? initial[mode] : initial
}

/** What a record of settings is read as. */
export type ValuesOf<S> = { readonly [K in keyof S]: S[K] extends Setting<infer T> ? T : never }

export function readAll<S extends Readonly<Record<string, Setting>>>(settings: S, given: Given): ValuesOf<S> {
  const entries = Object.entries(settings).map(([key, setting]) => [key, read(setting, given)] as const)
  return Object.fromEntries(entries) as ValuesOf<S>
}

/** Whether a variable of the environment is this setting, or one of its family. */
export function isNamed({ name }: Setting, variable: string): boolean {
  return new RegExp(`^${name.replace('<NAME>', '[A-Z][A-Z0-9_]*?')}$`, 'u').test(variable)
}

export function choice<const C extends readonly string[]>(
  name: string,
  choices: C,
  told: Told & { readonly initial: Initial },
): Setting<C[number]> {
  return {
    ...told,
    name,
    choices,
    parse(text, problems) {
      if (text === undefined || !choices.includes(text)) problems.push(`${name} must be one of ${choices.join(', ')}.`)
      return text as C[number]
    },
  }
}

export function onOff(name: string, told: Told & { readonly initial: Initial }): Setting<boolean> {
  const { parse, ...words } = choice(name, ['on', 'off'], told)
  return { ...words, parse: (text, problems) => parse(text, problems) === 'on' }
}

export interface Range {
  readonly min: number
  readonly max: number
}

export function whole(
  name: string,
  { min, max, ...told }: Told & Range & { readonly initial: Initial },
): Setting<number> {
  return { ...told, name, parse: (text, problems) => parseWhole(name, { text, min, max }, problems) }
}

/** A figure that is off unless it is given. */
export function optionalWhole(name: string, { min, max, ...told }: Told & Range): Setting<number | null> {
  return {
    ...told,
    name,
    parse: (text, problems) => (text === undefined ? null : parseWhole(name, { text, min, max }, problems)),
  }
}

function parseWhole(
  name: string,
  { text, min, max }: Range & { readonly text: string | undefined },
  problems: string[],
): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < min || value > max)
    problems.push(`${name} must be a whole number from ${min} to ${max}.`)
  return value
}

export function text(name: string, told: Told & { readonly initial: Initial }): Setting<string> {
  return { ...told, name, parse: (given = '') => given }
}

export function optionalText(name: string, told: Told): Setting<string | null> {
  return { ...told, name, parse: (given) => given ?? null }
}

/** Entries between commas. @param wrong says what is wrong with one of them, null where nothing is. */
export function list(
  name: string,
  { wrong, ...told }: Told & { readonly wrong?: (entry: string) => string | null },
): Setting<readonly string[]> {
  return {
    ...told,
    name,
    parse(given = '', problems) {
      const entries = given
        .split(',')
        .map((entry) => entry.trim())
        .filter((entry) => entry !== '')
      for (const entry of entries) {
        const problem = wrong?.(entry) ?? null
        if (problem !== null) problems.push(problem)
      }
      return entries
    },
  }
}
