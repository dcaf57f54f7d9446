/** The ways to connect a source at which people sign in. */
import type { OauthApp } from '@tributary/contract/authorisations'
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { Reply } from '@tributary/contract/calls'

export type Apps = Reply<'GET /tributary/clients/:clientId/oauth-apps'>
export type Way = 'provider' | 'own' | 'machine'

interface Choice {
  readonly value: Way
  readonly label: string
  readonly help: string
}

/** The easiest first; the provider's app only where the provider has one. */
export function waysOf({ Type, Title }: ConnectorType, { Provider }: Apps): Choice[] {
  const choices: Choice[] = [
    {
      value: 'provider',
      label: `Sign in at ${Title}`,
      help: 'You choose there which companies are read. No password comes here.',
    },
    {
      value: 'own',
      label: 'Sign in with an app of your own',
      help: `For organisations that registered an app at ${Title} themselves.`,
    },
    {
      value: 'machine',
      label: 'A custom connection',
      help: `For one company, and nobody has to sign in. ${Title} charges for it.`,
    },
  ]
  return choices.filter(({ value }) => value !== 'provider' || Provider.includes(Type))
}

/** Whether what the source gave for an app is still to be entered. */
export function asksForApp(way: Way, { Type }: ConnectorType, { Own }: Apps): boolean {
  return way === 'machine' || (way === 'own' && !Own.some((app) => app.Type === Type && app.Kind === 'app'))
}

export function appWords({ Kind, Connectors }: OauthApp): string {
  const uses =
    Connectors === 0
      ? 'used by no connector'
      : Connectors === 1
        ? 'used by 1 connector'
        : `used by ${Connectors} connectors`
  return `${Kind === 'app' ? 'App' : 'Custom connection'}, ${uses}`
}
