/** Parses the connection strings of other programs: URLs, `key=value;` pairs, and libpq's `key=value` words. Pure. */

export interface ParsedConnection {
  readonly host?: string
  readonly port?: string
  readonly database?: string
  readonly user?: string
  readonly password?: string
  /** As written in the string. */
  readonly encrypt?: boolean
  readonly trust?: boolean
  readonly multiple?: boolean
  /** `require`, `verify-full`, `VERIFY_IDENTITY` …, in lowercase with hyphens. */
  readonly tlsMode?: string
}

/** Returns null if the string names no server. */
export function parseConnectionString(text: string): ParsedConnection | null {
  const trimmed = text.trim().replace(/^(["'])(.*)\1$/s, '$2')
  const plain = trimmed.replace(/^jdbc:/i, '')
  const found = parsePlain(plain)
  return found?.host === undefined || found.host === '' ? null : found
}

function parsePlain(text: string): ParsedConnection | null {
  if (/^sqlserver:\/\//i.test(text)) return parseSqlServerUrl(text)
  if (/^(?:postgres|postgresql|mysql|mariadb|mssql)(?:\+\w+)?:\/\//i.test(text)) return parseUrl(text)
  return text.includes('://') ? null : parsePairs(text)
}

function parseUrl(text: string): ParsedConnection | null {
  // Browsers parse URLs of unknown schemes only roughly; with `http:` they separate host and port.
  const address = text.replace(/^[\w+]+:/, 'http:')
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  const pairs = new Map([...url.searchParams].map(([key, value]) => [normaliseKey(key), value] as const))
  const { host: _, ...rest } = toConnection(pairs)
  return {
    ...rest,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    ...optionalField('port', url.port),
    ...optionalField('database', decodeComponent(url.pathname.slice(1))),
    ...optionalField('user', decodeComponent(url.username)),
    ...optionalField('password', decodeComponent(url.password)),
  }
}

/** `sqlserver://host:1433;databaseName=shop;user=reader`. */
function parseSqlServerUrl(text: string): ParsedConnection {
  const [address = '', ...pairs] = text.replace(/^sqlserver:\/\//i, '').split(';')
  const [, host = '', port = ''] = /^([^:/?]*)(?::(\d+))?/.exec(address) ?? []
  return { ...parsePairs(pairs.join(';')), host, ...optionalField('port', port) }
}

/** ADO.NET syntax: a value with a semicolon or a space is quoted, and a doubled quote escapes a quote. */
const pairPattern = /([\w][\w .]*?)\s*=\s*(?:"((?:[^"]|"")*)"|'((?:[^']|''|\\')*)'|([^;]*?))\s*(?:;|$)/g
const wordPattern = /(\w+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|(\S*))/g

function parsePairs(text: string): ParsedConnection {
  const found =
    text.includes(';') || !/\s\w+\s*=/.test(text)
      ? [...text.matchAll(pairPattern)].map(toPair)
      : [...text.matchAll(wordPattern)].map(toWord)
  return toConnection(new Map(found))
}

function toPair([, key = '', double, single, bare = '']: RegExpExecArray): readonly [string, string] {
  return [normaliseKey(key), double?.replaceAll('""', '"') ?? single?.replaceAll("''", "'") ?? bare]
}

function toWord([, key = '', quoted, bare = '']: RegExpExecArray): readonly [string, string] {
  return [normaliseKey(key), quoted?.replace(/\\(.)/g, '$1') ?? bare]
}

const textKeys = {
  host: ['datasource', 'server', 'address', 'addr', 'networkaddress', 'host', 'hostname', 'servername'],
  port: ['port', 'portnumber'],
  database: ['initialcatalog', 'database', 'databasename', 'dbname', 'db'],
  user: ['userid', 'uid', 'user', 'username'],
  password: ['password', 'pwd'],
  tlsMode: ['sslmode', 'ssl'],
} as const
const flagKeys = {
  encrypt: ['encrypt'],
  trust: ['trustservercertificate'],
  multiple: ['multipleactiveresultsets', 'mars_connection'],
} as const

function toConnection(pairs: ReadonlyMap<string, string>): ParsedConnection {
  const first = (keys: readonly string[]) =>
    keys.map((key) => pairs.get(key)).find((value) => value !== undefined && value !== '')
  const texts = Object.entries(textKeys).flatMap(([name, keys]) => {
    const value = first(keys)
    return value === undefined
      ? []
      : [[name, name === 'tlsMode' ? value.toLowerCase().replaceAll('_', '-') : value] as const]
  })
  const flags = Object.entries(flagKeys).flatMap(([name, keys]) => {
    const value = first(keys)
    return value === undefined ? [] : [[name, /^(?:true|yes|1|mandatory|strict)$/i.test(value)] as const]
  })
  return Object.fromEntries<string | boolean>([...texts, ...flags])
}

function normaliseKey(key: string): string {
  return key.trim().toLowerCase().replace(/[\s.]/g, '')
}

function optionalField(name: keyof ParsedConnection, value: string): ParsedConnection {
  return value === '' ? {} : { [name]: value }
}

function decodeComponent(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
