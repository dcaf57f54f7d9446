/** Opens the management page of a connector type on a fake server. */
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import type { Connector } from '@tributary/contract/connectors'
import { fakeServer, type PortalHandlers } from './fake-server.ts'
import { connector, harbour, renderApp, summit } from './render-app.tsx'

const text = (Key: string, Kind: 'text' | 'list' | 'secret' = 'text') => ({
  Key,
  Label: Key,
  Kind,
  Required: Kind !== 'list',
  Help: null,
  Placeholder: null,
  Choices: [],
  Initial: null,
  Hidden: false,
})
export const postgres: ConnectorType = {
  Id: '00000000-0000-4000-8000-000000000001',
  Type: 'postgres',
  Title: 'PostgreSQL',
  Description: 'Tables of a database.',
  Needs: 'A user that may read.',
  Guide: ['Ask the owner to run: GRANT SELECT ON shop.orders TO reader.'],
  Licences: [],
  Kind: 'database',
  IsEarlyStages: false,
  RequiresAuthorisation: false,
  DefaultSchedule: '0 6 * * *',
  Sections: [
    {
      Property: 'source.connectionString',
      Shape: 'object',
      Title: 'Source database',
      Help: null,
      Fields: [
        text('host'),
        text('database'),
        text('user'),
        text('password', 'secret'),
        text('tables', 'list'),
        text('leftOut', 'list'),
      ],
    },
  ],
  Targets: [],
  Demo: null,
}
export const source = { host: 'db', database: 'shop', user: 'reader', password: '••••••••' }
export const webShop = connector({
  Properties: [
    { Name: 'source.connectionString', Value: source, ClientConnectorId: '00000000-0000-4000-8000-000000000201' },
  ],
})
export const closed = connector({
  Id: '00000000-0000-4000-8000-000000000202',
  Name: 'Old shop',
  Status: 'DISCONNECTED',
})
export const shared = connector({
  Id: '00000000-0000-4000-8000-000000000203',
  Name: 'Their shop',
  SharedBy: 'Summit Foods',
})

export function openManage(connectors: readonly Connector[], more: PortalHandlers = {}, query = '') {
  const received = fakeServer({
    'GET /organisations': () => [harbour, summit],
    'GET /tributary/clients/connector-types': () => [postgres],
    'GET /tributary/clients/:clientId/connector-types': () => [postgres],
    'GET /tributary/clients/:clientId/connectors': () => [...connectors],
    'GET /users': () => [],
    'GET /tributary/clients/connectors/:connectorId/licences': () => [],
    'GET /tributary/clients/connectors/:connectorId/organisations': () => [],
    'GET /tributary/clients/:clientId/connectors/:connectorId/alerts': () => ({ Users: null, Webhook: null }),
    'GET /tributary/clients/:clientId/schedule': () => ({ TimeZone: 'Europe/London', Next: [] }),
    ...more,
  })
  return { received, ...renderApp(`/connectors/postgres/manage${query}`) }
}
export const cardOf = (name: string) => screen.findByRole('article', { name })
export const buttonsOf = (article: HTMLElement) =>
  within(article)
    .queryAllByRole('button')
    .map((button) => button.textContent)
export const press = async (name: string | RegExp, inside: HTMLElement = document.body) =>
  userEvent.click(await within(inside).findByRole('button', { name }))
