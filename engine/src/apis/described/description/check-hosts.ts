/** That a description calls its own hosts only, and encrypted. */
import { fillPlaceholders, placeholdersIn } from './placeholders.ts'
import type { DescriptionParts } from './schema.ts'

export type DescriptionPath = readonly (string | number)[]
export type Report = (path: DescriptionPath, message: string) => void

const hostPattern = /^(?:\*\.)?(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]{2,63}$|^localhost$|^127\.0\.0\.1$/u

export function checkHosts({ base, hosts, settings, signIn }: DescriptionParts, report: Report): void {
  for (const [index, host] of hosts.entries()) {
    if (!hostPattern.test(host))
      report(['hosts', index], 'is not the name of a host, such as api.example.com or *.example.com')
    else if (host.startsWith('*.') && host.split('.').length < 4)
      report(['hosts', index], 'would allow every host below a public ending: name more of it')
  }
  checkBase({ base, hosts, settings }, report)
  if (signIn.kind === 'oauthCode' && placeholdersIn(base).length > 0)
    report(['base'], 'must have no setting in it: companies can have an address each, and paths can have {company}')
  if (signIn.kind === 'oauthCode' || signIn.kind === 'oauthClient') checkToken(signIn.token, hosts, report)
}

/** The secret of the app goes there. */
function checkToken(token: string, hosts: readonly string[], report: Report): void {
  const url = URL.parse(token)
  if (url === null || !isEncrypted(url)) return report(['signIn', 'token'], 'must begin with https://')
  if (!hosts.some((allowed) => isHostAllowed(url.hostname, allowed)))
    report(['signIn', 'token'], `its host ${url.hostname} is not one of hosts`)
}

function checkBase(
  { base, hosts, settings }: Pick<DescriptionParts, 'base' | 'hosts' | 'settings'>,
  report: Report,
): void {
  const isSecret = placeholdersIn(base).some((name) => settings[name]?.kind === 'secret')
  if (isSecret) report(['base'], 'must not have a secret in it')
  const url = URL.parse(fillPlaceholders(base, () => 'x'))
  if (url === null || !isEncrypted(url)) return report(['base'], 'must begin with https://')
  if (url.username !== '' || url.search !== '' || url.hash !== '') report(['base'], 'must have nothing after the path')
  if (!base.endsWith('/')) report(['base'], 'must end with /')
  const host = /^[a-z]+:\/\/([^/:]*)/u.exec(base)?.[1] ?? ''
  if (placeholdersIn(host).length === 0 && !hosts.some((allowed) => isHostAllowed(host, allowed)))
    report(['base'], `its host ${host} is not one of hosts`)
}

/** Plain HTTP only to this computer. */
function isEncrypted({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && (hostname === 'localhost' || hostname === '127.0.0.1'))
}

/** @param allowed `api.example.com`, or `*.example.com` for one more label */
export function isHostAllowed(host: string, allowed: string): boolean {
  if (!allowed.startsWith('*.')) return host === allowed
  const label = host.endsWith(allowed.slice(1)) ? host.slice(0, -allowed.length + 1) : ''
  return label !== '' && !label.includes('.')
}
