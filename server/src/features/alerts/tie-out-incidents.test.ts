import { alerts } from '@tributary/contract/alerts'
import { connectors } from '@tributary/contract/connectors'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AlertRig, openAlertRig } from '@tributary/testing/server/connectors/alert-rig.ts'

let rig: AlertRig
beforeAll(async () => {
  rig = await openAlertRig()
})
afterAll(() => rig[Symbol.asyncDispose]())
beforeEach(() => rig.begin())

/** Inserts a completed run with a tie-out. @param accounts 0: the tie-out could not be compared. */
async function insertTieOut(
  state: 'green' | 'amber' | 'red',
  notice: string | null = null,
  accounts = 12,
): Promise<string> {
  const runId = await rig.run({ status: 'COMPLETED' })
  const row = { runId, organisationId: rig.app.harbour.id, connectorId: rig.connectorId, state, notice, accounts }
  await rig.app.store.within(rig.app.harbour.id, (db) =>
    db
      .insertInto('tieOut')
      .values({ ...row, company: 'Harbour Trading Ltd', basis: 'documents', differing: state === 'green' ? 0 : 1 })
      .execute(),
  )
  return runId
}

describe('a tie-out that differs', () => {
  test('opens an incident of its own, with one message when it differs and one when it agrees again', async () => {
    const runId = await insertTieOut('red', 'Account 200 differs by 12.30.')
    await rig.watchConnectors()
    await insertTieOut('red', 'Account 200 differs by 12.30.')
    await rig.watchConnectors()
    expect(await rig.incidents()).toMatchObject([
      {
        RunId: runId,
        Kind: 'tieOut',
        Notice: 'Account 200 differs by 12.30.',
        ClosedAtUtc: null,
        Deliveries: [{ Event: 'opened' }],
      },
    ])
    await insertTieOut('green')
    await rig.watchConnectors()
    await rig.watchConnectors()
    expect(await rig.incidents()).toMatchObject([{ ClosedAtUtc: expect.any(String), Deliveries: [{}, {}] }])
    expect(await rig.subjects()).toEqual(['Web shop does not add up', 'Web shop adds up again'])
    const [email] = await rig.app.emailsTo('admin@demo.example')
    expect(email?.paragraphs.join(' ')).toContain('Account 200 differs by 12.30.')
    await insertTieOut('red')
    await rig.watchConnectors()
    expect(await rig.incidents()).toHaveLength(2)
  })

  test('stays open after runs without a comparable tie-out, and closes when the difference is explained', async () => {
    await insertTieOut('red')
    await rig.watchConnectors()
    await rig.run({ status: 'COMPLETED' })
    await insertTieOut('amber', 'The report could not be read.', 0)
    await rig.watchConnectors()
    expect(await rig.incidents()).toMatchObject([{ ClosedAtUtc: null }])
    await insertTieOut('amber', 'Revalued by the source.')
    await rig.watchConnectors()
    expect(await rig.incidents()).toMatchObject([{ ClosedAtUtc: expect.any(String) }])
  })

  test('has an incident next to the one of a failed run', async () => {
    await insertTieOut('red')
    await rig.watchConnectors()
    await rig.fail()
    await rig.watchConnectors()
    expect((await rig.incidents()).map(({ Kind }) => Kind).toSorted()).toEqual(['signIn', 'tieOut'])
    await insertTieOut('red')
    await rig.watchConnectors()
    expect((await rig.incidents()).filter(({ ClosedAtUtc }) => ClosedAtUtc === null)).toMatchObject([
      { Kind: 'tieOut' },
    ])
    await insertTieOut('green')
    await rig.watchConnectors()
    await rig.fail()
    await rig.watchConnectors()
    await insertTieOut('red')
    await rig.watchConnectors()
    expect(await rig.subjects()).toEqual([
      'Web shop does not add up',
      'Web shop needs attention',
      'Web shop works again',
      'Web shop adds up again',
      'Web shop needs attention',
      'Web shop works again',
      'Web shop does not add up',
    ])
  })

  test('closes while the connector is disconnected, and reopens only when a later tie-out differs', async () => {
    await insertTieOut('red')
    await rig.watchConnectors()
    await rig.app.as.admin.call(connectors.disconnectAll, { params: { clientId: rig.app.harbour.id } })
    await rig.watchConnectors()
    await rig.set({ status: 'CONNECTED' })
    await rig.watchConnectors()
    expect(await rig.incidents()).toMatchObject([{ ClosedAtUtc: expect.any(String) }])
    expect(await rig.subjects()).toEqual(['Web shop does not add up'])
    await insertTieOut('red')
    await rig.watchConnectors()
    expect(await rig.incidents()).toHaveLength(2)
  })

  test('is hidden from an organisation that the connector is shared with', async () => {
    await insertTieOut('red')
    await rig.watchConnectors()
    const { superadmin, otherAdmin } = rig.app.as
    await superadmin.call(connectors.assignOrganisations, {
      params: rig.params,
      body: { organisations: [rig.app.summit.id] },
    })
    const params = { clientId: rig.app.summit.id, connectorId: rig.connectorId }
    expect((await otherAdmin.call(alerts.incidents, { params })).body).toEqual([])
  })
})
