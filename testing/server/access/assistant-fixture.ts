/** The data fixture with a Xero connector, whose terms restrict assistants, and what reads its tables. */
import { assistants } from '@tributary/contract/assistants'
import { globalConfiguration } from '@tributary/contract/global-configuration'
import { insertConnectorWithRuns } from '../connectors/connector-with-runs.ts'
import type { TestApp } from '../app/test-app.ts'
import { openDataFixture } from './data-fixture.ts'
import { applyChanges, runAs, writerOf } from './warehouse-login.ts'

export const xeroTerms = 'Xero Developer Platform Terms and Conditions'

export interface AssistantFixture extends AsyncDisposable {
  readonly app: TestApp
  readonly xeroId: string
}

/** Switched off. */
export async function openAssistantFixture(): Promise<AssistantFixture> {
  const { app } = await openDataFixture()
  const xeroId = await insertConnectorWithRuns(app, app.harbour.id, { name: 'Ledger', change: { type: 'xero' } })
  await app.store.within(app.harbour.id, (db) =>
    db
      .insertInto('connectorUser')
      .values({ organisationId: app.harbour.id, connectorId: xeroId, userId: app.idOf('guest') })
      .execute(),
  )
  await runAs(
    await writerOf(app),
    `CREATE SCHEMA ledger;
     CREATE TABLE ledger.tributary_table (LIKE shop.tributary_table);
     INSERT INTO ledger.tributary_table VALUES ('account', '${xeroId}', 'account', 'account');
     CREATE TABLE ledger.account (code text PRIMARY KEY, balance numeric);
     INSERT INTO ledger.account VALUES ('200', 4711);
     CREATE VIEW ledger.balances AS SELECT code, balance FROM ledger.account;
     CREATE VIEW shop.mixed AS SELECT i.id, b.balance FROM shop.invoice AS i CROSS JOIN ledger.balances AS b;
     CREATE MATERIALIZED VIEW shop.copied AS SELECT balance FROM ledger.balances;
     CREATE TABLE ledger.tributary_tie_out (difference numeric);
     INSERT INTO ledger.tributary_tie_out VALUES (4711)`,
  )
  await applyChanges(app)
  return { app, xeroId, [Symbol.asyncDispose]: () => app[Symbol.asyncDispose]() }
}

export async function switchAssistants(app: TestApp, value: boolean): Promise<void> {
  await switchForProvider(app, value)
  await app.as.admin.signIn()
  await app.as.admin.call(assistants.setPolicy, { params: { clientId: app.harbour.id }, body: { allowed: value } })
}

export async function switchForProvider(app: TestApp, value: boolean): Promise<void> {
  await app.as.superadmin.signIn()
  const body = { key: 'Assistants', value: value ? 'true' : 'false' } as const
  await app.as.superadmin.call(globalConfiguration.save, { body })
}

export async function switchSource(app: TestApp, sourceType: string, allowed: boolean): Promise<void> {
  await app.as.admin.signIn()
  const params = { clientId: app.harbour.id, sourceType }
  const body = { allowed, acceptedTerms: allowed && sourceType === 'xero' ? xeroTerms : null }
  const { status } = await app.as.admin.call(assistants.setSource, { params, body })
  if (status !== 200) throw new Error(`switching the source answered ${status}`)
}
