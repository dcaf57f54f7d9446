/** The methods to connect a source that uses OAuth. */
import type { OauthApp } from '@tributary/contract/authorisations'
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { CallReply } from '@tributary/contract/calls'

export type OauthApps = CallReply<'GET /tributary/clients/:clientId/oauth-apps'>
export type AuthorisationMethod = 'provider' | 'own' | 'machine'

/** The easiest method first, without those that the deployment or the source does not have. */
export function authorisationMethods({ Type, Title }: ConnectorType, { Provider, CustomConnections }: OauthApps) {
  const choices = [
    {
      value: 'provider' as const,
      label: `Sign in at ${Title}`,
      help: 'You choose there which companies are read. Tributary never sees your password.',
    },
    {
      value: 'own' as const,
      label: 'Sign in with an app of your own',
      help: `For organisations that registered an app at ${Title} themselves.`,
    },
    {
      value: 'machine' as const,
      label: 'A custom connection',
      help: `For one company, without signing in. ${Title} charges for it.`,
    },
  ]
  const types = { provider: Provider, own: [Type], machine: CustomConnections }
  return choices.filter(({ value }) => types[value].includes(Type))
}

/** True if the client id and secret of an app must still be entered. */
export function needsAppCredentials(way: AuthorisationMethod, { Type }: ConnectorType, { Own }: OauthApps): boolean {
  return way === 'machine' || (way === 'own' && !Own.some((app) => app.Type === Type && app.Kind === 'app'))
}

export function describeApp({ Kind, Connectors }: OauthApp): string {
  const uses =
    Connectors === 0
      ? 'used by no connector'
      : Connectors === 1
        ? 'used by 1 connector'
        : `used by ${Connectors} connectors`
  return `${Kind === 'app' ? 'App' : 'Custom connection'}, ${uses}`
}
