/** The names that have to be found, and the disk. */
import { lookup } from 'node:dns/promises'
import { existsSync, statfsSync } from 'node:fs'
import { isIP } from 'node:net'
import type { Config } from '../../kernel/config/config.ts'
import { findSource } from '../../connections/connectors/connector-types.ts'
import { codeOf, fail, type Finding, ok, warn } from './finding.ts'

export async function checkNames(config: Config): Promise<readonly Finding[]> {
  const hosts = [...namedHosts(config)].filter(([host]) => isIP(host) === 0)
  return Promise.all(hosts.map(([host, whose]) => checkName(host, whose)))
}

async function checkName(host: string, whose: string): Promise<Finding> {
  const check = `Name of ${whose}`
  try {
    const addresses = await lookup(host, { all: true })
    return ok(check, `${host} is ${addresses.map(({ address }) => address).join(', ')}`)
  } catch (error) {
    return fail(
      check,
      `${host} is not found (${codeOf(error)})`,
      'Correct the name where it is set, or the DNS server of this machine.',
    )
  }
}

/** Each host once, with what it is for. */
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
  for (const [whose, url] of urls) {
    const host = url === null ? undefined : URL.parse(url)?.hostname.replaceAll(/^\[|\]$/gu, '')
    if (host !== undefined && host !== '' && !hosts.has(host)) hosts.set(host, whose)
  }
  return hosts
}

const megabyte = 1024 * 1024
const freeMin = 200 * megabyte
const freeWished = 2_048 * megabyte

/** Only the embedded database needs room here. */
export function checkDisk({ databaseUrl, dataDir }: Config): readonly Finding[] {
  if (databaseUrl !== null) return []
  if (!existsSync(dataDir))
    return [warn('Disk', `There is no folder ${dataDir} yet`, 'The first start makes it: npm start')]
  const { bavail, bsize } = statfsSync(dataDir)
  const free = bavail * bsize
  const found = `${Math.floor(free / megabyte)} MB are free for ${dataDir}`
  if (free < freeMin) return [fail('Disk', found, 'Free some space: Tributary does not start below 200 MB.')]
  if (free < freeWished) return [warn('Disk', found, 'Free some space before it runs out.')]
  return [ok('Disk', found)]
}
