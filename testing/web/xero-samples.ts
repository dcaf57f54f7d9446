/** Sample data: an accounting type that requires authorisation, and a connector of it. */
import type { ConnectorAuthorisation } from '@tributary/contract/authorisations'
import type { ConnectorType } from '@tributary/contract/connector-catalogue'
import { connector } from './render-app.tsx'

export const xero: ConnectorType = {
  Id: '00000000-0000-4000-8000-000000000009',
  Type: 'xero',
  Title: 'Xero',
  Description: 'The books of a company.',
  Needs: 'A person who may sign in at Xero.',
  Guide: [],
  Licences: [],
  Kind: 'accounting',
  IsEarlyStages: false,
  RequiresAuthorisation: true,
  DefaultSchedule: '0 6 * * *',
  Sections: [],
  Targets: [],
  Demo: null,
}

export const books = connector({ Name: 'Harbour books', OriginalName: 'Harbour books', Type: 'xero' })

export function authorisation(changes: Partial<ConnectorAuthorisation> = {}): ConnectorAuthorisation {
  return {
    Companies: [],
    Status: 'ACTIVE',
    TenantName: 'Harbour Trading Ltd',
    Country: 'NZ',
    Currency: 'NZD',
    EmailAddress: 'anna@demo.example',
    App: 'provider',
    ConnectedAtUtc: '2026-11-01T08:00:00Z',
    DiesAtUtc: '2027-01-10T08:00:00Z',
    Scopes: [],
    ...changes,
  }
}
