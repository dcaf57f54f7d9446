/** Asks a source which companies a token reaches. */
import type { Tenant } from '@tributary/engine/ports/oauth'
import type { AuthorisedType } from '../../connections/oauth/authorised-types.ts'
import { withTimeout, type WithTimeoutServices } from '../../connections/databases/with-timeout.ts'

const timeMaxMs = 20_000

/**
 * The companies that were opened in this very round of consent. Of what the same person opened before, perhaps for another
 * organisation, nothing; but where nothing new was opened, `former` need not be opened again. Throws a Fault.
 */
export async function openedNow(
  services: WithTimeoutServices,
  type: AuthorisedType,
  accessToken: string,
  former: string | null,
): Promise<readonly Tenant[]> {
  const event = type.oauth.consentIdOf(accessToken)
  const opened = await reachedBy(services, type, accessToken, event)
  if (event === null || former === null || opened.length > 0) return opened
  return (await reachedBy(services, type, accessToken, null)).filter(({ id }) => id === former)
}

/** @param onlyOf the round of consent; null for all of them. */
export function reachedBy(
  services: WithTimeoutServices,
  { oauth: authorising, endpoints: addresses }: AuthorisedType,
  accessToken: string,
  onlyOf: string | null,
): Promise<readonly Tenant[]> {
  const { signal } = new AbortController()
  return withTimeout(services, { signal, timeoutMs: timeMaxMs }, (around) =>
    authorising.tenants({ accessToken, addresses, consentId: onlyOf, ...around }),
  )
}
