/** Fake replies for the admin pages of an organisation with one user. */
import type { PortalHandlers } from './fake-server.ts'
import { harbour } from './render-app.tsx'

export const role = { Id: '00000000-0000-4000-8000-000000000012', Name: 'admin', DisplayName: 'Admin', RoleLevel: 2 }
export const lesser = { Id: '00000000-0000-4000-8000-000000000013', Name: 'user', DisplayName: 'User', RoleLevel: 3 }
const active = { Id: '00000000-0000-4000-8000-000000000020', Name: 'active' }
export const ana = {
  Id: '00000000-0000-4000-8000-000000000301',
  FirstName: 'Ana',
  LastName: 'Ruiz',
  EmailAddress: 'ana@demo.example',
  Role: { Id: lesser.Id, Name: 'user' },
  Status: { Name: '' },
  StatusId: active.Id,
  RequireMultiFactorAuthentication: false,
  LastSignInAtUtc: null,
  MS_Oid: null,
  Groups: [],
  HelperTables: [],
  B2SEntities: [],
  Xero2SqlProducts: [],
  SecondFactor: false,
}
export const everywhere: PortalHandlers = {
  'GET /organisations': () => [harbour],
  'GET /tributary/clients/connector-types': () => [],
  'GET /tributary/clients/:clientId/connector-types': () => [],
  'GET /roles': () => [
    {
      ...role,
      Id: '00000000-0000-4000-8000-000000000010',
      Name: 'superadmin',
      DisplayName: 'Superadmin',
      RoleLevel: 0,
    },
    role,
    lesser,
  ],
  'GET /statuses': () => [active],
  'GET /invitations': () => [],
  'GET /users': () => [ana],
}
