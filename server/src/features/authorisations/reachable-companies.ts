/** Asks a source which companies a token reaches. */
import type { Tenant } from '@tributary/engine/ports/oauth'
import type { AuthorisedType } from '../../connections/oauth/authorised-types.ts'
import { consentOf } from '../../connections/oauth/oauth-client.ts'
import { withTimeout, type WithTimeoutServices } from '../../connections/databases/with-timeout.ts'

const timeoutMs = 20_000

/**
 * Lists the companies of this consent only: the user may have granted earlier ones for another organisation. If the
 * consent added no company, the `former` ones count, too, because a source does not ask for a company twice.
 *
 * @throws Fault
 */
export async function listConsentedCompanies(
  services: WithTimeoutServices,
  type: AuthorisedType,
  { accessToken, callback }: { readonly accessToken: string; readonly callback: URLSearchParams },
  former: readonly string[],
): Promise<readonly Tenant[]> {
  const consentId = consentOf(type.oauth, accessToken, callback)
  const opened = await listReachableCompanies(services, type, accessToken, consentId)
  if (consentId === null || former.length === 0 || opened.length > 0) return opened
  return (await listReachableCompanies(services, type, accessToken, null)).filter(({ id }) => former.includes(id))
}

/** @param consentId id of a consent; null for the companies of every consent. */
export function listReachableCompanies(
  services: WithTimeoutServices,
  { oauth, endpoints }: AuthorisedType,
  accessToken: string,
  consentId: string | null,
): Promise<readonly Tenant[]> {
  const { signal } = new AbortController()
  return withTimeout(services, signal, timeoutMs, (around) =>
    oauth.tenants({ accessToken, addresses: endpoints, consentId, ...around }),
  )
}
