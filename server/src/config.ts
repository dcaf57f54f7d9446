/** The environment as a frozen, typed value. Nothing else reads `process.env`. */
import { readFileSync, statSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import { readCaptchaSettings, type CaptchaSettings } from './captcha-settings.ts'
import { readMailFrom } from './mail-settings.ts'
import type { MasterKeys } from './platform/keys.ts'
import type { LogLevel } from './platform/log.ts'
import { providerSecretNames, readProviders, type ProviderSettings } from './provider-settings.ts'

export interface Config {
  readonly mode: 'trial' | 'production'
  readonly role: 'all' | 'web' | 'worker'
  /** The address we listen at. */
  readonly host: string
  readonly port: number
  /** Where people reach the portal; no slash at the end. */
  readonly publicUrl: string
  /** The embedded database and, in trial mode, the master key. */
  readonly dataDir: string
  /** Null: PostgreSQL is embedded. */
  readonly databaseUrl: string | null
  /** The PostgreSQL that holds the organisations' warehouses; null: the one of the store. */
  readonly warehouseUrl: string | null
  /** Null: trial mode keeps a key of its own in the data folder. */
  readonly masterKeys: MasterKeys | null
  /** `host:port` or CIDR blocks that connectors may dial although they are private. */
  readonly allowHosts: readonly string[]
  /** Proxies whose X-Forwarded-For is believed, as addresses or CIDR blocks. */
  readonly trustedProxies: readonly string[]
  readonly passwordMin: number
  readonly smtpUrl: string | null
  /** `Tributary <no-reply@tributary.example.com>` */
  readonly mailFrom: string
  readonly captcha: CaptchaSettings
  /** Whoever else may vouch for a person. */
  readonly providers: readonly ProviderSettings[]
  readonly logLevel: LogLevel
  /** Where the portal was built to. */
  readonly webDir: string
}

export interface Reading {
  readonly config: Config
  /** Everything that is missing or weak, each in a sentence; with any, Tributary does not start. */
  readonly problems: readonly string[]
}

const secretNames = [
  'DATABASE_URL',
  'TRIBUTARY_WAREHOUSE_URL',
  'TRIBUTARY_MASTER_KEY',
  'TRIBUTARY_MASTER_KEYS_OLD',
  'TRIBUTARY_SMTP_URL',
  'TRIBUTARY_CAPTCHA_SECRET',
] as const

/** Reads the environment of this process and takes the secrets out of it, so that no child and no dump inherits them. */
export function takeConfig(): Reading {
  const reading = readConfig(process.env)
  for (const name of [...secretNames, ...providerSecretNames(process.env)]) delete process.env[name]
  return reading
}

type Environment = Readonly<Record<string, string | undefined>>

export function readConfig(env: Environment): Reading {
  const problems: string[] = []
  const choose = <const C extends readonly [string, ...string[]]>(name: string, choices: C): C[number] => {
    const value = env[name] ?? choices[0]
    if (!choices.includes(value)) problems.push(`${name} must be one of ${choices.join(', ')}.`)
    return value
  }
  const whole = (name: string, range: { initial: number; min: number; max: number }): number => {
    const value = Number(env[name] ?? range.initial)
    if (!Number.isInteger(value) || value < range.min || value > range.max)
      problems.push(`${name} must be a whole number from ${range.min} to ${range.max}.`)
    return value
  }

  const mode = choose('TRIBUTARY_MODE', ['trial', 'production'])
  const port = whole('PORT', { initial: 3000, min: 0, max: 65_535 })
  const publicUrl = inOneSpelling(env['TRIBUTARY_PUBLIC_URL'] ?? `http://localhost:${port}`)
  const trustedProxies = list(env['TRIBUTARY_TRUSTED_PROXIES'])
  for (const proxy of trustedProxies.filter((one) => !isAddressOrBlock(one)))
    problems.push(`TRIBUTARY_TRUSTED_PROXIES: '${proxy}' is neither an address nor a block such as 10.0.0.0/8.`)
  const config: Config = {
    mode,
    role: choose('TRIBUTARY_ROLE', ['all', 'web', 'worker']),
    host: env['TRIBUTARY_HOST'] ?? (mode === 'trial' ? '127.0.0.1' : '0.0.0.0'),
    port,
    publicUrl,
    dataDir: resolve(env['TRIBUTARY_DATA_DIR'] ?? 'data'),
    databaseUrl: env['DATABASE_URL'] ?? null,
    warehouseUrl: env['TRIBUTARY_WAREHOUSE_URL'] ?? null,
    masterKeys: readMasterKeys(env, problems),
    allowHosts: list(env['TRIBUTARY_ALLOW_HOSTS']),
    trustedProxies,
    passwordMin: whole('TRIBUTARY_PASSWORD_MIN', { initial: 6, min: 6, max: 128 }),
    smtpUrl: env['TRIBUTARY_SMTP_URL'] ?? null,
    mailFrom: readMailFrom(env, publicUrl, problems),
    captcha: readCaptchaSettings(env, problems),
    providers: readProviders(env, mode, problems),
    // At a trial's console a person reads; in production a collector does.
    logLevel: choose(
      'TRIBUTARY_LOG_LEVEL',
      mode === 'trial' ? ['warn', 'info', 'debug', 'error', 'silent'] : ['info', 'debug', 'warn', 'error', 'silent'],
    ),
    webDir: resolve(import.meta.dirname, '../../web/dist'),
  }
  problems.push(...(mode === 'production' ? missingInProduction(config, env) : wrongInTrial(config)))
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

function missingInProduction(config: Config, env: Environment): readonly string[] {
  const publicUrl = env['TRIBUTARY_PUBLIC_URL']
  const problems = [
    config.databaseUrl === null && 'DATABASE_URL is missing: postgres://user:password@host:5432/database of a PostgreSQL 15 or newer.',
    config.databaseUrl !== null && !/^postgres(?:ql)?:\/\//u.test(config.databaseUrl) && 'DATABASE_URL must begin with postgres://.',
    publicUrl === undefined && 'TRIBUTARY_PUBLIC_URL is missing: the https address people open, such as https://tributary.example.com.',
    publicUrl !== undefined &&
      !isOrigin(publicUrl) &&
      'TRIBUTARY_PUBLIC_URL must be an https address without a path, such as https://tributary.example.com.',
    config.masterKeys === null &&
      !hasMasterKey(env) &&
      `TRIBUTARY_MASTER_KEY or TRIBUTARY_MASTER_KEY_FILE is missing: 32 random bytes in base64. ${makeOne}`,
    config.smtpUrl === null && 'TRIBUTARY_SMTP_URL is missing: smtps://user:password@host:465 of the server that sends our mail.',
    config.smtpUrl !== null && !isSmtpUrl(config.smtpUrl) && 'TRIBUTARY_SMTP_URL must be smtp://host or smtps://user:password@host:465.',
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
  return url !== null && url.protocol === 'https:' && url.pathname === '/' && url.search === '' && url.hash === '' && url.username === ''
}

function isLoopback(host: string): boolean {
  return host === '127.0.0.1' || host === '::1' || host === 'localhost'
}

function isAddressOrBlock(text: string): boolean {
  const [address = '', bits] = text.split('/')
  const version = isIP(address)
  return version !== 0 && (bits === undefined || (/^\d+$/u.test(bits) && Number(bits) <= (version === 6 ? 128 : 32)))
}

function list(text: string | undefined): readonly string[] {
  return (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
}

const makeOne = 'Make one with: openssl rand -base64 32'

function hasMasterKey(env: Environment): boolean {
  return env['TRIBUTARY_MASTER_KEY'] !== undefined || env['TRIBUTARY_MASTER_KEY_FILE'] !== undefined
}

function readMasterKeys(env: Environment, problems: string[]): MasterKeys | null {
  const given = env['TRIBUTARY_MASTER_KEY']
  const file = env['TRIBUTARY_MASTER_KEY_FILE']
  if (given !== undefined && file !== undefined)
    problems.push('TRIBUTARY_MASTER_KEY and TRIBUTARY_MASTER_KEY_FILE are both set. Keep one of them.')
  const text = given ?? (file === undefined ? undefined : readKeyFile(file, problems))
  const current = text === undefined ? null : parseKey('TRIBUTARY_MASTER_KEY', text, problems)
  const old = list(env['TRIBUTARY_MASTER_KEYS_OLD']).map((one) => parseKey('TRIBUTARY_MASTER_KEYS_OLD', one, problems))
  return current === null ? null : { current, old: old.filter((key) => key !== null) }
}

function readKeyFile(file: string, problems: string[]): string | undefined {
  try {
    if (process.platform !== 'win32' && (statSync(file).mode & 0o077) !== 0) {
      problems.push(`TRIBUTARY_MASTER_KEY_FILE can be read by others. Run: chmod 600 ${file}`)
    }
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    problems.push(`TRIBUTARY_MASTER_KEY_FILE cannot be read (${(error as NodeJS.ErrnoException).code}): ${file}`)
    return undefined
  }
}

function parseKey(name: string, text: string, problems: string[]): Buffer | null {
  const key = Buffer.from(text, 'base64')
  const isWhole = key.length === 32 && key.toString('base64').replace(/=+$/u, '') === text.replace(/=+$/u, '')
  if (!isWhole) problems.push(`${name} must be 32 bytes in base64. ${makeOne}`)
  else if (isGuessable(key)) problems.push(`${name} is not random. ${makeOne}`)
  else return key
  return null
}

/** 32 random bytes have some 30 different values; a sample, a repeated word or typed text has fewer, or is all letters. */
function isGuessable(key: Buffer): boolean {
  const isText = key.every((byte) => byte >= 0x20 && byte < 0x7f)
  const steps = new Set(key.map((byte, at) => (byte - (key[at - 1] ?? 0)) & 0xff))
  return isText || new Set(key).size < 20 || steps.size < 12
}
