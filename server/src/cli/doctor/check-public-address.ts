/**
 * Checks the public address: it is reachable, this installation answers, and the proxy passes the required headers on.
 */
import { randomBytes } from 'node:crypto'
import type { Config } from '../../kernel/config/config.ts'
import { proveInstallation, installationProofPath } from '../../security/keys/installation-proof.ts'
import type { AppServices } from '../../app-services.ts'
import { judgeClock } from './check-database.ts'
import { errorCodeOf, fail, type DoctorFinding, ok, warn } from './finding.ts'

const check = 'Public address'
const timeoutMs = 10_000

export async function checkPublicAddress({
  config,
  serverKeys,
}: Pick<AppServices, 'config' | 'serverKeys'>): Promise<readonly DoctorFinding[]> {
  const challenge = randomBytes(24).toString('base64url')
  let reply: Response
  try {
    const address = `${config.publicUrl}${installationProofPath}?challenge=${challenge}`
    reply = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(timeoutMs) })
  } catch (error) {
    return [unreachable(config, errorCodeOf(error))]
  }
  const body = (await reply.json().catch(() => ({}))) as { readonly proof?: unknown; readonly isForwarded?: unknown }
  if (reply.status !== 200 || typeof body.proof !== 'string')
    return [fail(check, `${config.publicUrl} answers ${reply.status}, and not as Tributary does`, routeRemedy)]
  if (body.proof !== (await proveInstallation(serverKeys, challenge)))
    return [fail(check, `Another Tributary, with other keys, answers at ${config.publicUrl}`, routeRemedy)]
  return [
    ok(check, `This installation answers at ${config.publicUrl}`),
    ...checkProxy(config, { isForwarded: body.isForwarded === true, headers: reply.headers }),
    ...checkDate(reply.headers.get('date')),
  ]
}

/** Only a warning for a trial, because it may be stopped on purpose. */
function unreachable({ mode, publicUrl }: Config, code: string): DoctorFinding {
  const found = `${publicUrl} cannot be reached from here (${code})`
  if (mode === 'trial') return warn(check, found, 'Start it with npm start, unless it is stopped on purpose.')
  return fail(
    check,
    found,
    'Check that Tributary and the proxy in front of it run, that the name resolves to the proxy, and its certificate.',
  )
}

const routeRemedy =
  'Check TRIBUTARY_PUBLIC_URL, and the target of the proxy in front of Tributary: it must forward every path.'

/** @param isForwarded whether the server received `X-Forwarded-For`. */
function checkProxy(
  { trustedProxies, publicUrl }: Config,
  { isForwarded, headers }: { readonly isForwarded: boolean; readonly headers: Headers },
): readonly DoctorFinding[] {
  const name = 'Proxy'
  if (isForwarded && trustedProxies.length === 0)
    return [
      warn(
        name,
        'There is a proxy in front of Tributary, but none is trusted: all clients seem to have the same address',
        'Add its address to TRIBUTARY_TRUSTED_PROXIES.',
      ),
    ]
  if (!isForwarded && trustedProxies.length > 0)
    return [
      warn(
        name,
        'The proxy does not pass on the address of the client',
        'Configure it to set X-Forwarded-For, and route every request through it.',
      ),
    ]
  if (publicUrl.startsWith('https:') && !headers.has('strict-transport-security'))
    return [warn(name, 'The proxy removes security headers', 'Configure it to forward response headers unchanged.')]
  return [
    ok(
      name,
      isForwarded
        ? 'The proxy in front of Tributary passes on the address of the client, and is trusted'
        : 'There is no proxy in front of Tributary, or none that can be detected',
    ),
  ]
}

/** The header has whole seconds: half a second is added, the mean of what was cut off. */
function checkDate(date: string | null): readonly DoctorFinding[] {
  return date === null ? [] : [judgeClock('Clock', Date.parse(date) + 500 - Date.now(), 'the public address')]
}
