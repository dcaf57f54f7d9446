/** Every query names its organisation: without one it would read the rows of all organisations. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = dirname(import.meta.dirname)

/** Tables whose rows belong to organisations. Memberships are not among them, because they are also read by person. */
const organisationTables = [
  'connector',
  'connectorProperty',
  'connectorUser',
  'connectorLicence',
  'connectorShare',
  'dailyCalls',
  'connectorStream',
  'dictionaryWords',
  'schemaChange',
  'incident',
  'webhookDelivery',
  'alert',
  'alertChannel',
  'alertDelivery',
  'run',
  'runStream',
  'runLine',
  'runRejected',
  'organisationSummary',
  'runNeed',
  'runShare',
  'apiToken',
  'apiTokenUse',
  'oauthCode',
  'oauthSecret',
  'warehouse',
  'warehouseMove',
  'warehousePrincipal',
  'auditEvent',
  'dataKey',
  'approval',
  'invitation',
  'area',
  'subarea',
  'areaSubarea',
  'version',
  'milestone',
  'helperTable',
  'physicalTable',
  'entity',
  'permissionGroup',
  'groupPair',
  'groupMilestone',
  'groupUser',
  'helperTableUser',
  'entityUser',
  'authorisation',
  'oauthApp',
  'connectorCompany',
  'productCredential',
  'queryRun',
  'readingLogin',
  'savedQuery',
  'auditorRoom',
  'auditorLook',
  'closedPeriod',
  'closedPeriodChange',
  'closedPeriodDate',
  'reportMark',
  'publicationAction',
  'publicationActionRun',
  'certificate',
  'historyErasure',
  'historyErasureSearch',
  'publicationSet',
  'publicationMember',
  'publicationOffer',
  'publication',
  'publicationRun',
  'historyReason',
  'historyRetention',
  'tableRule',
  'hostApproval',
  'maskingSecret',
  'tieOut',
  'tieOutLine',
  'streamVerification',
  'verificationVerdict',
  'rowDifference',
  'readyByWish',
  'readyByPlan',
  'readyByOutcome',
]

/** Types of a second argument that name the organisation, too. */
const locations = ['ConnectorLocation', 'RunKey', 'ConnectorFailure', 'OpenIncident', 'ActionLocation']
const takesOrganisation = new RegExp(
  String.raw`\(\s*db: Db,\s*(?:organisationId: string|(?:\w+|\{[^}]*\}): (?:${locations.join('|')})\b)`,
)

test('every query of an organisation’s table takes an organisation, or its name ends in Everywhere', () => {
  const queries = globSync('{contract,client,engine,server,web,addin,sims}/src/**/queries.ts', { cwd: root })
  expect(queries.length).toBeGreaterThan(0)
  for (const file of queries) {
    for (const text of readFileSync(join(root, file), 'utf8').split(/^(?=export )/m)) {
      const [signature = '', name = ''] = /^export (?:async )?function (\w+)(?:<[^>]*>)?\([^)]*/.exec(text) ?? []
      if (signature === '' || !organisationTables.some((table) => text.includes(`'${table}'`))) continue
      if (name.endsWith('Everywhere')) continue
      expect(
        signature,
        `${file}: ${name} takes the database, then the organisation, or its name ends in Everywhere`,
      ).toMatch(takesOrganisation)
    }
  }
})
