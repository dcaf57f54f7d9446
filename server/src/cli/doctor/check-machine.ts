/** Checks that every configured host name resolves, and that the disk has free space. */
import { lookup } from 'node:dns/promises'
import { existsSync, statfsSync } from 'node:fs'
import { isIP } from 'node:net'
import type { Config } from '../../kernel/config/config.ts'
import { findSource } from '../../connections/connectors/connector-types.ts'
import { errorCodeOf, fail, type DoctorFinding, ok, warn } from './finding.ts'

export async function checkNames(config: Config): Promise<readonly DoctorFinding[]> {
  const hosts = [...namedHosts(config)].filter(([host]) => isIP(host) === 0)
  return Promise.all(hosts.map(([host, purpose]) => checkName(host, purpose)))
}

async function checkName(host: string, purpose: string): Promise<DoctorFinding> {
  const check = `Name of ${purpose}`
  try {
    const addresses = await lookup(host, { all: true })
    return ok(check, `${host} is ${addresses.map(({ address }) => address).join(', ')}`)
  } catch (error) {
    return fail(
      check,
      `${host} does not resolve (${errorCodeOf(error)})`,
      'Correct the name in the configuration, or the DNS server of this machine.',
    )
  }
}

/** Maps each host to its first purpose. */
function namedHosts(config: Config): ReadonlyMap<string, string> {
  const urls: readonly (readonly [string, string | null])[] = [
    ['the database', config.databaseUrl],
    ['the warehouse', config.warehouseUrl],
    ['the public address', config.publicUrl],
    ['the mail server', config.smtpUrl],
    ['the captcha', config.captcha.verifyUrl],
    ['the collector of traces', config.tracing?.exporter.url ?? null],
    ...config.providers.map(({ displayName, issuer }) => [displayName, issuer] as const),
    ...config.oauth.flatMap(({ type, app, addresses }) => {
      const source = app === null ? undefined : findSource(type)
      const { authorise = null, token = null, api = null } = addresses ?? source?.oauth?.addresses ?? {}
      return source === undefined ? [] : [authorise, token, api].map((url) => [source.title, url] as const)
    }),
  ]
  const hosts = new Map<string, string>()
  for (const [purpose, url] of urls) {
    const host = url === null ? undefined : URL.parse(url)?.hostname.replaceAll(/^\[|\]$/gu, '')
    if (host !== undefined && host !== '' && !hosts.has(host)) hosts.set(host, purpose)
  }
  return hosts
}

const megabyte = 1024 * 1024
const freeMin = 200 * megabyte
const freeRecommended = 2_048 * megabyte

/** Only the embedded database stores data on this machine. */
export function checkDisk({ databaseUrl, dataDir }: Config): readonly DoctorFinding[] {
  if (databaseUrl !== null) return []
  if (!existsSync(dataDir))
    return [warn('Disk', `There is no folder ${dataDir} yet`, 'The first start creates it: npm start')]
  const { bavail, bsize } = statfsSync(dataDir)
  const free = bavail * bsize
  const found = `${Math.floor(free / megabyte)} MB are free for ${dataDir}`
  if (free < freeMin) return [fail('Disk', found, 'Free some space: Tributary does not start below 200 MB.')]
  if (free < freeRecommended) return [warn('Disk', found, 'Free some space before it runs out.')]
  return [ok('Disk', found)]
}
