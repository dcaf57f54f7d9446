/** Declares a setting once: its parser, its checks and its documentation. */

export type ServerMode = 'trial' | 'production'
export type EnvironmentVariables = Readonly<Record<string, string | undefined>>

/** The default, in the syntax of the environment; it may depend on the mode. */
type SettingDefault = string | { readonly trial?: string; readonly production?: string }

interface SettingDescription {
  /** For the documentation, in one or two sentences. */
  readonly meaning: string
  /** Production does not start without this setting. */
  readonly isRequired?: true
  readonly example?: string
  /** How the documentation describes a default that depends on other settings. */
  readonly defaultText?: string
  /**
   * `whole`: the value is a secret; `password`: a URL that may hold one. Either may be read from a file (NAME_FILE) and is
   * removed from the environment after it is read.
   */
  readonly secret?: 'whole' | 'password'
}

export interface SettingDefinition<T = unknown> extends SettingDescription {
  /** For a family of settings, with `<NAME>` as the placeholder. */
  readonly name: string
  readonly initial?: SettingDefault
  /** The allowed values, if they can be listed. */
  readonly choices?: readonly string[]
  /** Returns the value. Adds a sentence to `problems` for each mistake. */
  readonly parse: (text: string | undefined, problems: string[]) => T
}

export interface SettingInput {
  readonly env: EnvironmentVariables
  readonly mode: ServerMode
  readonly problems: string[]
}

export function readSetting<T>(setting: SettingDefinition<T>, { env, mode, problems }: SettingInput): T {
  return setting.parse(env[setting.name] ?? initialOf(setting, mode), problems)
}

export function initialOf({ initial }: SettingDefinition, mode: ServerMode): string | undefined {
  return typeof initial === 'object' ? initial[mode] : initial
}

/** The values of a record of settings. */
export type ValuesOf<S> = { readonly [K in keyof S]: S[K] extends SettingDefinition<infer T> ? T : never }

export function readSettings<S extends Readonly<Record<string, SettingDefinition>>>(
  settings: S,
  given: SettingInput,
): ValuesOf<S> {
  const entries = Object.entries(settings).map(([key, setting]) => [key, readSetting(setting, given)] as const)
  return Object.fromEntries(entries) as ValuesOf<S>
}

/** True if an environment variable is this setting, or a member of its family. */
export function isNamed({ name }: SettingDefinition, variable: string): boolean {
  return new RegExp(`^${name.replace('<NAME>', '[A-Z][A-Z0-9_]*?')}$`, 'u').test(variable)
}

export function choice<const C extends readonly string[]>(
  name: string,
  choices: C,
  description: SettingDescription & { readonly initial: SettingDefault },
): SettingDefinition<C[number]> {
  return {
    ...description,
    name,
    choices,
    parse(text, problems) {
      if (text === undefined || !choices.includes(text)) problems.push(`${name} must be one of ${choices.join(', ')}.`)
      return text as C[number]
    },
  }
}

export function onOff(
  name: string,
  description: SettingDescription & { readonly initial: SettingDefault },
): SettingDefinition<boolean> {
  const { parse, ...rest } = choice(name, ['on', 'off'], description)
  return { ...rest, parse: (text, problems) => parse(text, problems) === 'on' }
}

export interface WholeNumberRange {
  readonly min: number
  readonly max: number
}

export function wholeNumber(
  name: string,
  { min, max, ...description }: SettingDescription & WholeNumberRange & { readonly initial: SettingDefault },
): SettingDefinition<number> {
  return { ...description, name, parse: (text, problems) => parseWhole(name, { text, min, max }, problems) }
}

/** A number that is null unless it is set. */
export function optionalWholeNumber(
  name: string,
  { min, max, ...description }: SettingDescription & WholeNumberRange,
): SettingDefinition<number | null> {
  return {
    ...description,
    name,
    parse: (text, problems) => (text === undefined ? null : parseWhole(name, { text, min, max }, problems)),
  }
}

function parseWhole(
  name: string,
  { text, min, max }: WholeNumberRange & { readonly text: string | undefined },
  problems: string[],
): number {
  const value = Number(text)
  if (!Number.isInteger(value) || value < min || value > max)
    problems.push(`${name} must be a whole number from ${min} to ${max}.`)
  return value
}

export function text(
  name: string,
  description: SettingDescription & { readonly initial: SettingDefault },
): SettingDefinition<string> {
  return { ...description, name, parse: (given = '') => given }
}

export function optionalText(name: string, description: SettingDescription): SettingDefinition<string | null> {
  return { ...description, name, parse: (given) => given ?? null }
}

/** A comma-separated list. @param wrong returns what is wrong with an entry, or null */
export function list(
  name: string,
  { wrong, ...description }: SettingDescription & { readonly wrong?: (entry: string) => string | null },
): SettingDefinition<readonly string[]> {
  return {
    ...description,
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

/** Whether the text is a whole address of HTTP, encrypted or not. */
export function isHttpAddress(text: string): boolean {
  return /^https?:$/u.test(URL.parse(text)?.protocol ?? '')
}

/**
 * Requires an https address without a query and without a user, because secrets travel to it. In a trial it may be an
 * http address of this machine.
 */
export function isSecureAddress(text: string, mode: ServerMode): boolean {
  const url = URL.parse(text)
  if (url === null || url.search !== '' || url.hash !== '' || url.username !== '' || url.password !== '') return false
  const isOfTrial = mode === 'trial' && url.protocol === 'http:'
  return url.protocol === 'https:' || (isOfTrial && ['localhost', '127.0.0.1', '[::1]'].includes(url.hostname))
}
