/** Reads a connection string as other programs write it: a URL, `key=value;` pairs, or libpq's `key=value` words. Pure. */

export interface Connection {
  readonly host?: string
  readonly port?: string
  readonly database?: string
  readonly user?: string
  readonly password?: string
  /** As the string says it, on or off. */
  readonly encrypt?: boolean
  readonly trust?: boolean
  readonly multiple?: boolean
  /** `require`, `verify-full`, `VERIFY_IDENTITY` …, in lowercase with hyphens. */
  readonly tlsMode?: string
}

/** Null when it names no server. */
export function readConnectionString(text: string): Connection | null {
  const trimmed = text.trim().replace(/^(["'])(.*)\1$/s, '$2')
  const plain = trimmed.replace(/^jdbc:/i, '')
  const found = read(plain)
  return found?.host === undefined || found.host === '' ? null : found
}

function read(text: string): Connection | null {
  if (/^sqlserver:\/\//i.test(text)) return fromSqlServerUrl(text)
  if (/^(?:postgres|postgresql|mysql|mariadb|mssql)(?:\+\w+)?:\/\//i.test(text)) return fromUrl(text)
  return text.includes('://') ? null : fromPairs(text)
}

function fromUrl(text: string): Connection | null {
  // The browser reads addresses of unknown schemes only roughly; as http it takes host and port apart.
  const address = text.replace(/^[\w+]+:/, 'http:')
  if (!URL.canParse(address)) return null
  const url = new URL(address)
  const pairs = new Map([...url.searchParams].map(([key, value]) => [plainKey(key), value] as const))
  const { host: _, ...rest } = named(pairs)
  return {
    ...rest,
    host: url.hostname.replace(/^\[|\]$/g, ''),
    ...given('port', url.port),
    ...given('database', decode(url.pathname.slice(1))),
    ...given('user', decode(url.username)),
    ...given('password', decode(url.password)),
  }
}

/** `sqlserver://host:1433;databaseName=shop;user=reader`. */
function fromSqlServerUrl(text: string): Connection {
  const [address = '', ...pairs] = text.replace(/^sqlserver:\/\//i, '').split(';')
  const [, host = '', port = ''] = /^([^:/?]*)(?::(\d+))?/.exec(address) ?? []
  return { ...fromPairs(pairs.join(';')), host, ...given('port', port) }
}

/** A value with a semicolon or a space in it stands in quotes; a doubled quote is one of its own. */
const pair = /([\w][\w .]*?)\s*=\s*(?:"((?:[^"]|"")*)"|'((?:[^']|''|\\')*)'|([^;]*?))\s*(?:;|$)/g
const word = /(\w+)\s*=\s*(?:'((?:[^'\\]|\\.)*)'|(\S*))/g

function fromPairs(text: string): Connection {
  const found =
    text.includes(';') || !/\s\w+\s*=/.test(text)
      ? [...text.matchAll(pair)].map(pairOf)
      : [...text.matchAll(word)].map(wordOf)
  return named(new Map(found))
}

function pairOf([, key = '', double, single, bare = '']: RegExpExecArray): readonly [string, string] {
  return [plainKey(key), double?.replaceAll('""', '"') ?? single?.replaceAll("''", "'") ?? bare]
}

function wordOf([, key = '', quoted, bare = '']: RegExpExecArray): readonly [string, string] {
  return [plainKey(key), quoted?.replace(/\\(.)/g, '$1') ?? bare]
}

const names = {
  host: ['datasource', 'server', 'address', 'addr', 'networkaddress', 'host', 'hostname', 'servername'],
  port: ['port', 'portnumber'],
  database: ['initialcatalog', 'database', 'databasename', 'dbname', 'db'],
  user: ['userid', 'uid', 'user', 'username'],
  password: ['password', 'pwd'],
  tlsMode: ['sslmode', 'ssl'],
} as const
const switches = {
  encrypt: ['encrypt'],
  trust: ['trustservercertificate'],
  multiple: ['multipleactiveresultsets', 'mars_connection'],
} as const

function named(pairs: ReadonlyMap<string, string>): Connection {
  const first = (keys: readonly string[]) =>
    keys.map((key) => pairs.get(key)).find((value) => value !== undefined && value !== '')
  const texts = Object.entries(names).flatMap(([name, keys]) => {
    const value = first(keys)
    return value === undefined
      ? []
      : [[name, name === 'tlsMode' ? value.toLowerCase().replaceAll('_', '-') : value] as const]
  })
  const flags = Object.entries(switches).flatMap(([name, keys]) => {
    const value = first(keys)
    return value === undefined ? [] : [[name, /^(?:true|yes|1|mandatory|strict)$/i.test(value)] as const]
  })
  return Object.fromEntries<string | boolean>([...texts, ...flags])
}

function plainKey(key: string): string {
  return key.trim().toLowerCase().replace(/[\s.]/g, '')
}

function given(name: keyof Connection, value: string): Connection {
  return value === '' ? {} : { [name]: value }
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
