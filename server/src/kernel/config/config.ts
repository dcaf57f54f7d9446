/** The environment as a frozen, typed value. Nothing else reads `process.env`, but for the list of settings that the command line shows. */
import { resolve } from 'node:path'
import { readCaptchaSettings, type CaptchaSettings } from './captcha-settings.ts'
import { masterKeySettings } from './data-settings.ts'
import { readLimits, type LimitSettings } from './limit-settings.ts'
import { readMailFrom } from './mail-settings.ts'
import { readOauthSettings, type OauthSettings } from './oauth-settings.ts'
import { processSettings, publicUrlSetting } from './process-settings.ts'
import { readProviders, type ProviderSettings } from './provider-settings.ts'
import { isGiven, withSecretFiles } from './secret-files.ts'
import { read, readAll, type Environment, type Given, type ValuesOf } from './setting.ts'
import { isSecretName, plainSettings } from './all-settings.ts'
import { readTracing, type TracingSettings } from './telemetry-settings.ts'
import { linesOf, type MasterKeys, parseMasterKey } from './master-keys.ts'

/** Each plain setting by its key, and what takes more than one of them to say. */
export interface Config extends ValuesOf<typeof plainSettings> {
  /** Where people reach the portal; no slash at the end. */
  readonly publicUrl: string
  /** Null: trial mode keeps a key of its own in the data folder. */
  readonly masterKeys: MasterKeys | null
  readonly limits: LimitSettings
  /** `Tributary <no-reply@tributary.example.com>` */
  readonly mailFrom: string
  readonly captcha: CaptchaSettings
  /** Whoever else may vouch for a person. */
  readonly providers: readonly ProviderSettings[]
  /** Of each source that people authorise. */
  readonly oauth: readonly OauthSettings[]
  /** Null: nothing is traced. */
  readonly tracing: TracingSettings | null
  /** Where the portal was built to. */
  readonly webDir: string
}

export interface ConfigReading {
  readonly config: Config
  /** Everything that is missing or weak, each in a sentence; with any, Tributary does not start. */
  readonly problems: readonly string[]
}

/** Reads the environment of this process and takes the secrets out of it, so that no child and no dump inherits them. */
export function takeConfig(): ConfigReading {
  const reading = readConfig(process.env)
  for (const name of Object.keys(process.env).filter(isSecretName)) delete process.env[name]
  return reading
}

export function readConfig(given: Environment): ConfigReading {
  const problems: string[] = []
  const env = withSecretFiles(given, isSecretName, problems)
  const mode = env[processSettings.mode.name] === 'production' ? 'production' : 'trial'
  const reading: Given = { env, mode, problems }
  const plain = readAll(plainSettings, reading)
  const publicUrl = inOneSpelling(read(publicUrlSetting, reading) ?? `http://localhost:${plain.port}`)
  const config: Config = {
    ...plain,
    publicUrl,
    masterKeys: readMasterKeys(reading, given[`${masterKeySettings.current.name}_FILE`]),
    limits: readLimits(reading),
    mailFrom: readMailFrom(reading, publicUrl),
    captcha: readCaptchaSettings(reading),
    providers: readProviders(reading),
    oauth: readOauthSettings(reading),
    tracing: readTracing(reading),
    webDir: resolve(import.meta.dirname, '../../../../web/dist'),
  }
  problems.push(...(mode === 'production' ? missingInProduction(config, given) : wrongInTrial(config)))
  return { config: Object.freeze(config), problems }
}

function wrongInTrial(config: Config): readonly string[] {
  if (config.databaseUrl === null && isLoopback(config.host)) return []
  const problems = [
    config.databaseUrl !== null &&
      'DATABASE_URL goes with TRIBUTARY_MODE=production: trial mode puts demonstration data only into a database that it made itself. Set the mode, or leave DATABASE_URL out.',
    !isLoopback(config.host) &&
      'TRIBUTARY_HOST must be 127.0.0.1 or ::1 in trial mode, because its accounts and their password are known to everybody. Set TRIBUTARY_MODE=production to be reached from elsewhere.',
  ]
  return problems.filter((problem) => problem !== false)
}

function missingInProduction({ databaseUrl, smtpUrl }: Config, env: Environment): readonly string[] {
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

/** As browsers spell an origin: in small letters, without the usual port and without a slash at the end. */
function inOneSpelling(address: string): string {
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

/** The file's further lines and the variable's entries are keys that only open. */
function readMasterKeys(reading: Given, file: string | undefined): MasterKeys | null {
  const given = readAll(masterKeySettings, reading)
  const keysOf = (name: string, texts: readonly string[]) =>
    texts.map((text) => {
      const key = parseMasterKey(text)
      if (typeof key !== 'string') return key
      reading.problems.push(`${name} ${key}`)
      return null
    })
  const [current = null, ...others] = keysOf(masterKeySettings.current.name, linesOf(given.current ?? ''))
  const old = [...others, ...keysOf(masterKeySettings.old.name, given.old)].filter((key) => key !== null)
  return current === null ? null : { current, old, file }
}
