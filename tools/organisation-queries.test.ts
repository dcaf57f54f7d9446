/** A query that forgets to say for which organisation would read everybody's rows. */
import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'

const root = dirname(import.meta.dirname)

/** The tables of organisations, as queries name them. A membership is found from the person's side, too. */
const owned = [
  'connector',
  'connectorProperty',
  'connectorUser',
  'connectorLicence',
  'connectorShare',
  'connectorStream',
  'schemaChange',
  'incident',
  'webhookDelivery',
  'run',
  'runStream',
  'runLine',
  'runRejected',
  'warehouse',
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
  'connectorTenant',
  'productCredential',
  'tieOut',
  'tieOutLine',
]

test('every query of an organisation’s table says for which organisation, or that it is for all', () => {
  const queries = globSync('{contract,client,engine,server,web,addin,sims}/src/**/queries.ts', { cwd: root })
  expect(queries.length).toBeGreaterThan(0)
  for (const file of queries) {
    for (const text of readFileSync(join(root, file), 'utf8').split(/^(?=export )/m)) {
      const [signature = '', name = ''] = /^export (?:async )?function (\w+)(?:<[^>]*>)?\([^)]*/.exec(text) ?? []
      if (signature === '' || !owned.some((table) => text.includes(`'${table}'`))) continue
      if (name.endsWith('Everywhere')) continue
      expect(signature, `${file}: ${name} takes the database, then the organisation, or says Everywhere`).toMatch(
        /\(\s*db: Db,\s*organisationId: string/,
      )
    }
  }
})
