import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { everyRoute } from '@tributary/testing/server/app/every-route.ts'

/**
 * The calls of section 7 of the specification, except the authorise redirect, which is in features/authorisations and
 * in no contract.
 */
const section7 = `
  POST /auth/signin
  POST /auth/signin-b2s
  POST /verify
  POST /me/security/mfa
  DELETE /me/security/mfa/devices/{id}
  POST /registration/account
  GET /registration/finalise
  POST /registration/finalise
  GET /registration/verify
  POST /reset-password
  POST /reset-password/request
  GET /reset-password/validate
  GET /approvals
  POST /approvals
  GET /organisations
  GET /entities
  GET /areas
  GET /subareas
  GET /versions
  GET /helperTables
  GET /users
  GET /permission-groups
  GET /roles
  GET /statuses
  GET /users/xero2sqlproduct
  GET /me/xero2sqlproducts
  GET /token
  GET /token/{id}
  GET /milestones/{versionId}
  POST /areas
  POST /areas/{id}
  DELETE /areas/{id}
  POST /subareas
  POST /subareas/{id}
  DELETE /subareas/{id}
  POST /versions
  POST /versions/{id}
  DELETE /versions/{id}
  POST /entities
  POST /entities/{id}
  DELETE /entities/{id}
  POST /helperTables
  POST /helperTables/{id}
  DELETE /helperTables/{id}
  POST /milestones
  POST /milestones/{id}
  DELETE /milestones/{id}
  POST /users
  POST /users/{id}
  DELETE /users/{id}
  POST /subareas/link-to-area
  POST /subareas/unlink-from-area
  POST /subareas/unlink-from-area-all
  POST /permission-groups
  POST /permission-groups/status
  DELETE /permission-groups/groups
  POST /permission-groups/area-subarea
  DELETE /permission-groups/area-subarea
  POST /permission-groups/version-milestone
  DELETE /permission-groups/version-milestone
  POST /users/{id}/link-to-group
  DELETE /users/{id}/link-to-group
  POST /users/{id}/link-to-entity
  POST /users/{id}/link-helperTable
  DELETE /users/{id}/link-helperTable
  POST /users/{id}/link-xero2sqlproduct
  DELETE /users/{id}/xero2sqlproduct
  POST /xero2sqlproducts/{id}/incremental
  GET /organisations/{id}/database-credentials
  POST /organisations/{id}/database-credentials
  GET /organisations/{id}/database-table-sync
  GET /xero2sqlproducts/{id}/database-credentials
  POST /xero2sqlproducts/{id}/database-credentials
  GET /token/{id}/sync-tables
  PATCH /token/{id}
  GET /admin/globalconfiguration
  POST /admin/globalconfiguration
  GET /tributary/connectors/insights
  GET /tributary/clients/connectors/{id}
  GET /tributary/clients/connectors/{id}/licences
  GET /tributary/clients/{clientId}/connector-types
  GET /tributary/clients/connector-types
  GET /tributary/clients/{clientId}/connectors
  POST /tributary/clients/{clientId}/connectors
  GET /tributary/clients/{clientId}/connectors/{id}
  PATCH /tributary/clients/{clientId}/connectors/{id}
  DELETE /tributary/clients/{clientId}/connectors/{id}
  GET /tributary/clients/{clientId}/connectors/{id}/licences
  POST /tributary/clients/{clientId}/connectors/{id}/licences
  GET /tributary/clients/{clientId}/connectors/{id}/properties
  PATCH /tributary/clients/{clientId}/connectors/{id}/properties
  POST /tributary/clients/{clientId}/connectors/{id}/properties
  PATCH /tributary/clients/{clientId}/connectors/{id}/properties/{name}
  DELETE /tributary/clients/{clientId}/connectors/{id}/properties/{name}
  POST /tributary/clients/{clientId}/connectors/{id}/process
  POST /tributary/clients/connectors/{id}/assign-organisations
  POST /tributary/clients/connectors/{id}/assign-users
  POST /clients/{clientKey}/{connectorKey}/process
  DELETE /clients/{clientKey}/{connectorKey}
`

const specified = section7.trim().split('\n')

test.each(specified)('[API-1 %s] of the specification is in the contract', (call) => {
  expect(everyRoute.map(({ name }) => name.replaceAll(/:\w+/gu, '{}'))).toContain(
    call.trim().replaceAll(/\{\w+\}/gu, '{}'),
  )
})

test('[API-1 GET /authorise/:type] of the specification, a redirect that is in no contract, has its tests', () => {
  const attacks = readFileSync(join(import.meta.dirname, '../features/authorisations/oauth-attacks.test.ts'), 'utf8')
  for (const guarantee of [
    '[API-2] a flow for an organisation of other users',
    'a flow for an unknown organisation',
    'a flow begun by %s',
    'a flow without a session',
    'an open redirect through state, connector, type or a return address',
  ])
    expect(attacks).toContain(`'[API-1 GET /authorise/:type] ${guarantee}`)
})
