/** Actions after publications with known secrets, for tests that search for them. */
import { publicationActions } from '@tributary/contract/publication-actions'
import type { TestClient } from '../app/client.ts'

interface AddedActions {
  /** By kind. */
  readonly secrets: Readonly<Record<string, string>>
  /** Replies that must not contain them, as JSON. */
  readonly replies: readonly string[]
}

/** Neither Power BI nor dbt is called. @param address of a webhook, which gets a test message */
export async function addActionsWithSecrets(
  admin: TestClient,
  clientId: string,
  address: string,
): Promise<AddedActions> {
  const params = { clientId }
  const action = { name: 'Leaky action', isOn: false, setId: null }
  const ids = { tenantId: clientId, applicationId: clientId, workspaceId: clientId, datasetId: clientId }
  const [clientSecret, token] = ['canary-power-bi-4711', 'canary-dbt-4711']
  const powerBi = { ...ids, clientSecret, capacity: 'shared' as const }
  const dbt = { host: 'cloud.getdbt.com', accountId: '1', jobId: '2', token }
  const { create, list, test } = publicationActions
  const added = [
    await admin.call(create, { params, body: { ...action, powerBi } }),
    await admin.call(create, { params, body: { ...action, dbt } }),
  ]
  const webhook = await admin.call(create, { params, body: { ...action, webhook: { address } } })
  const tested = await admin.call(test, { params: { ...params, actionId: webhook.body.Id } })
  const listed = await admin.call(list, { params })
  return {
    secrets: {
      'client secret of Power BI': clientSecret,
      'token of dbt': token,
      'secret of an action': webhook.body.SigningSecret ?? '',
    },
    replies: [...added, tested, listed].map(({ body }) => JSON.stringify(body)),
  }
}
