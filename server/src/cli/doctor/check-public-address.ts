/** The address that people open: reached, answered by this very installation, by way of a proxy that passes on what it must. */
import { randomBytes } from 'node:crypto'
import type { Config } from '../../kernel/config/config.ts'
import { proveInstallation, installationProofPath } from '../../security/keys/installation-proof.ts'
import type { AppServices } from '../../app-services.ts'
import { judgeClock } from './check-database.ts'
import { codeOf, fail, type Finding, ok, warn } from './finding.ts'

const check = 'Public address'
const timeMs = 10_000

export async function checkPublicAddress({
  config,
  serverKeys,
}: Pick<AppServices, 'config' | 'serverKeys'>): Promise<readonly Finding[]> {
  const challenge = randomBytes(24).toString('base64url')
  let reply: Response
  try {
    const address = `${config.publicUrl}${installationProofPath}?challenge=${challenge}`
    reply = await fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(timeMs) })
  } catch (error) {
    return [unreached(config, codeOf(error))]
  }
  const told = (await reply.json().catch(() => ({}))) as { readonly proof?: unknown; readonly isForwarded?: unknown }
  if (reply.status !== 200 || typeof told.proof !== 'string')
    return [fail(check, `${config.publicUrl} answers ${reply.status}, and not as Tributary does`, strangerRemedy)]
  if (told.proof !== (await proveInstallation(serverKeys, challenge)))
    return [fail(check, `At ${config.publicUrl} another Tributary answers, with other keys`, strangerRemedy)]
  return [
    ok(check, `This installation answers at ${config.publicUrl}`),
    ...checkProxy(config, { isForwarded: told.isForwarded === true, headers: reply.headers }),
    ...checkDate(reply.headers.get('date')),
  ]
}

/** A trial may well be stopped. */
function unreached({ mode, publicUrl }: Config, code: string): Finding {
  const found = `${publicUrl} cannot be reached from here (${code})`
  if (mode === 'trial') return warn(check, found, 'Start it with npm start, if it is not meant to be stopped.')
  return fail(
    check,
    found,
    'Check that Tributary and the proxy in front run, that the name leads to the proxy, and its certificate.',
  )
}

const strangerRemedy = 'Check TRIBUTARY_PUBLIC_URL, and where the proxy in front leads; it must pass every path on.'

/** @param isForwarded whether a proxy told the server for whom it asks. */
function checkProxy(
  { trustedProxies, publicUrl }: Config,
  { isForwarded, headers }: { readonly isForwarded: boolean; readonly headers: Headers },
): readonly Finding[] {
  const name = 'Proxy'
  if (isForwarded && trustedProxies.length === 0)
    return [
      warn(
        name,
        'A proxy stands in front, but none is believed: all callers look like one',
        'Name its address in TRIBUTARY_TRUSTED_PROXIES.',
      ),
    ]
  if (!isForwarded && trustedProxies.length > 0)
    return [
      warn(
        name,
        'The proxy does not say for whom it asks',
        'Let it set X-Forwarded-For, and pass every call through it.',
      ),
    ]
  if (publicUrl.startsWith('https:') && !headers.has('strict-transport-security'))
    return [
      warn(name, 'The proxy takes security headers away', 'Let it pass the headers of the answers on as they are.'),
    ]
  return [
    ok(
      name,
      isForwarded
        ? 'The proxy in front says for whom it asks, and is believed'
        : 'None stands in front, or none that shows',
    ),
  ]
}

/** A foreign machine's whole seconds, so one of them more or less means nothing. */
function checkDate(date: string | null): readonly Finding[] {
  return date === null ? [] : [judgeClock('Clock', Date.parse(date) + 500 - Date.now(), 'the public address')]
}
