/** The environment as a frozen, typed value. Apart from the command line's list of settings, nothing else reads `process.env`. */
import { resolve } from 'node:path'
import { readCaptchaSettings, type CaptchaSettings } from './captcha-settings.ts'
import { masterKeySettings } from './data-settings.ts'
import { readLimits, type LimitSettings } from './limit-settings.ts'
import { readMailFrom } from './mail-settings.ts'
import { readOauthSettings, type OauthSettings } from './oauth-settings.ts'
import { processSettings, publicUrlSetting } from './process-settings.ts'
import { readPublicationServices, type PublicationServiceAddresses } from './publication-settings.ts'
import { readProviders, type ProviderSettings } from './provider-settings.ts'
import { isGiven, withSecretFiles } from './secret-files.ts'
import { readSetting, readSettings, type EnvironmentVariables, type SettingInput, type ValuesOf } from './setting.ts'
import { isSecretName, plainSettings } from './all-settings.ts'
import { readTracing, type TracingSettings } from './telemetry-settings.ts'
import { listKeyLines, type MasterKeys, parseMasterKey } from './master-keys.ts'

/** Each plain setting by its key, and the values that combine several settings. */
export interface Config extends ValuesOf<typeof plainSettings> {
  /** The portal's public URL, without a trailing slash. */
  readonly publicUrl: string
  /** Null: trial mode keeps its own key in the data folder. */
  readonly masterKeys: MasterKeys | null
  readonly limits: LimitSettings
  /** `Tributary <no-reply@tributary.example.com>` */
  readonly mailFrom: string
  readonly captcha: CaptchaSettings
  /** External identity providers. */
  readonly providers: readonly ProviderSettings[]
  /** One for each source that uses OAuth. */
  readonly oauth: readonly OauthSettings[]
  /** The services that actions after a publication call. */
  readonly publicationServices: PublicationServiceAddresses
  /** Null: tracing is off. */
  readonly tracing: TracingSettings | null
  /** The folder of the built portal. */
  readonly webDir: string
}

export interface ConfigResult {
  readonly config: Config
  /** Missing or weak settings, a sentence each. If there is any, Tributary does not start. */
  readonly problems: readonly string[]
}

/** Reads the environment of this process and removes the secrets from it, so that no child process or core dump inherits them. */
export function takeConfig(): ConfigResult {
  const reading = readConfig(process.env)
  for (const name of Object.keys(process.env).filter(isSecretName)) delete process.env[name]
  return reading
}

export function readConfig(given: EnvironmentVariables): ConfigResult {
  const problems: string[] = []
  const env = withSecretFiles(given, isSecretName, problems)
  const mode = env[processSettings.mode.name] === 'production' ? 'production' : 'trial'
  const reading: SettingInput = { env, mode, problems }
  const plain = readSettings(plainSettings, reading)
  const publicUrl = normaliseOrigin(readSetting(publicUrlSetting, reading) ?? `http://localhost:${plain.port}`)
  const config: Config = {
    ...plain,
    publicUrl,
    masterKeys: readMasterKeys(reading, given[`${masterKeySettings.current.name}_FILE`]),
    limits: readLimits(reading),
    mailFrom: readMailFrom(reading, publicUrl),
    captcha: readCaptchaSettings(reading),
    providers: readProviders(reading),
    oauth: readOauthSettings(reading),
    publicationServices: readPublicationServices(reading),
    tracing: readTracing(reading),
    webDir: resolve(import.meta.dirname, '../../../../web/dist'),
  }
  problems.push(...(mode === 'production' ? listProductionProblems(config, given) : listTrialProblems(config)))
  return { config: Object.freeze(config), problems }
}

function listTrialProblems(config: Config): readonly string[] {
  if (config.databaseUrl === null && isLoopback(config.host)) return []
  const problems = [
    config.databaseUrl !== null &&
      'DATABASE_URL goes with TRIBUTARY_MODE=production: trial mode puts demonstration data only into a database that it made itself. Set the mode, or leave DATABASE_URL out.',
    !isLoopback(config.host) &&
      'TRIBUTARY_HOST must be 127.0.0.1 or ::1 in trial mode, because its accounts and their password are known to everybody. Set TRIBUTARY_MODE=production to be reached from elsewhere.',
  ]
  return problems.filter((problem) => problem !== false)
}

function listProductionProblems({ databaseUrl, smtpUrl }: Config, env: EnvironmentVariables): readonly string[] {
  const publicUrl = env[publicUrlSetting.name]
  const problems = [
    !isGiven(env, 'DATABASE_URL') &&
      'DATABASE_URL is missing: postgres://user:password@host:5432/database of a PostgreSQL 15 or newer.',
    databaseUrl !== null && !/^postgres(?:ql)?:\/\//u.test(databaseUrl) && 'DATABASE_URL must begin with postgres://.',
    publicUrl === undefined &&
      'TRIBUTARY_PUBLIC_URL is missing: the https address people open, such as https://tributary.example.com.',
    publicUrl !== undefined &&
      !isOrigin(publicUrl) &&
      'TRIBUTARY_PUBLIC_URL must be an https address without a path, such as https://tributary.example.com.',
    !isGiven(env, 'TRIBUTARY_MASTER_KEY') &&
      `TRIBUTARY_MASTER_KEY or TRIBUTARY_MASTER_KEY_FILE is missing: 32 random bytes in base64. ${makeOne}`,
    !isGiven(env, 'TRIBUTARY_SMTP_URL') &&
      'TRIBUTARY_SMTP_URL is missing: smtps://user:password@host:465 of the server that sends our mail.',
    smtpUrl !== null &&
      !isSmtpUrl(smtpUrl) &&
      'TRIBUTARY_SMTP_URL must be smtp://host or smtps://user:password@host:465.',
  ]
  return problems.filter((problem) => problem !== false)
}

function isSmtpUrl(text: string): boolean {
  const url = URL.parse(text)
  return url !== null && /^smtps?:$/u.test(url.protocol) && url.hostname !== ''
}

/** Canonicalises an origin as browsers do: lower case, without the default port, without a trailing slash. */
function normaliseOrigin(address: string): string {
  const url = URL.parse(address)
  return url === null || !/^https?:$/u.test(url.protocol) ? address : url.origin
}

function isOrigin(text: string): boolean {
  const url = URL.parse(text)
  return (
    url !== null &&
    url.protocol === 'https:' &&
    url.pathname === '/' &&
    url.search === '' &&
    url.hash === '' &&
    url.username === ''
  )
}

function isLoopback(host: string): boolean {
  return host === '127.0.0.1' || host === '::1' || host === 'localhost'
}

const makeOne = 'Make one with: openssl rand -base64 32'

/** Only the first line of the file encrypts. Further lines, and the entries of the variable, only decrypt. */
function readMasterKeys(reading: SettingInput, file: string | undefined): MasterKeys | null {
  const given = readSettings(masterKeySettings, reading)
  const keysOf = (name: string, texts: readonly string[]) =>
    texts.map((text) => {
      const key = parseMasterKey(text)
      if (typeof key !== 'string') return key
      reading.problems.push(`${name} ${key}`)
      return null
    })
  const [current = null, ...others] = keysOf(masterKeySettings.current.name, listKeyLines(given.current ?? ''))
  const old = [...others, ...keysOf(masterKeySettings.old.name, given.old)].filter((key) => key !== null)
  return current === null ? null : { current, old, file }
}
