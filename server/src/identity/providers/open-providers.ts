/** Opens the configured identity providers, each with its own egress guard. */
import type { Config } from '../../kernel/config/config.ts'
import type { Clock } from '../../kernel/clock.ts'
import { endpointOf, openNetwork, type NetworkEndpoint } from '../../security/egress/egress.ts'
import type { Log } from '../../kernel/log/log.ts'
import { createOidcProvider, type OidcProvider } from './oidc-provider.ts'

interface ProviderServices {
  readonly config: Config
  readonly clock: Clock
  readonly log: Log
  readonly deny: () => readonly NetworkEndpoint[]
}

export function openProviders({ config, clock, log, deny }: ProviderServices): readonly OidcProvider[] {
  return config.providers.map((settings) => {
    log.redactSecret(settings.clientSecret)
    // The operator configured the issuer, so it is allowed even in a private network. Connectors do not get this
    // permission.
    const network = openNetwork({
      allow: [...config.allowHosts, endpointOf(settings.issuer)],
      deny,
    })
    return createOidcProvider(settings, network, clock)
  })
}
