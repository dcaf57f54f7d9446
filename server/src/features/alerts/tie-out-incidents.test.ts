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

/** A run that completed with such a tie-out. @param accounts 0: it could not be told. */
async function tieOut(state: 'green' | 'amber' | 'red', notice: string | null = null, accounts = 12): Promise<string> {
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
  test('is an incident by itself, told once, however often it differs, and told once more when it agrees', async () => {
    const runId = await tieOut('red', 'Account 200 differs by 12.30.')
    await rig.look()
    await tieOut('red', 'Account 200 differs by 12.30.')
    await rig.look()
    expect(await rig.incidents()).toMatchObject([
      {
        RunId: runId,
        Kind: 'tieOut',
        Notice: 'Account 200 differs by 12.30.',
        ClosedAtUtc: null,
        Deliveries: [{ Event: 'opened' }],
      },
    ])
    await tieOut('green')
    await rig.look()
    await rig.look()
    expect(await rig.incidents()).toMatchObject([{ ClosedAtUtc: expect.any(String), Deliveries: [{}, {}] }])
    expect(await rig.subjects()).toEqual(['Web shop does not add up', 'Web shop adds up again'])
    const [letter] = await rig.app.lettersTo('admin@demo.example')
    expect(letter?.paragraphs.join(' ')).toContain('Account 200 differs by 12.30.')
    await tieOut('red')
    await rig.look()
    expect(await rig.incidents()).toHaveLength(2)
  })

  test('stays one while runs without a tie-out complete and while it cannot be told, and is over with what is known to be beyond the rows', async () => {
    await tieOut('red')
    await rig.look()
    await rig.run({ status: 'COMPLETED' })
    await tieOut('amber', 'The report could not be read.', 0)
    await rig.look()
    expect(await rig.incidents()).toMatchObject([{ ClosedAtUtc: null }])
    await tieOut('amber', 'Revalued by the source.')
    await rig.look()
    expect(await rig.incidents()).toMatchObject([{ ClosedAtUtc: expect.any(String) }])
  })

  test('hides no run that fails, and is hidden by none', async () => {
    await tieOut('red')
    await rig.look()
    await rig.fail()
    await rig.look()
    expect((await rig.incidents()).map(({ Kind }) => Kind).toSorted()).toEqual(['signIn', 'tieOut'])
    await tieOut('red')
    await rig.look()
    expect((await rig.incidents()).filter(({ ClosedAtUtc }) => ClosedAtUtc === null)).toMatchObject([
      { Kind: 'tieOut' },
    ])
    await tieOut('green')
    await rig.look()
    await rig.fail()
    await rig.look()
    await tieOut('red')
    await rig.look()
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

  test('is none where the connector rests, nor once it is back, until another differs', async () => {
    await tieOut('red')
    await rig.look()
    await rig.app.as.admin.call(connectors.disconnectAll, { params: { clientId: rig.app.harbour.id } })
    await rig.look()
    await rig.set({ status: 'CONNECTED' })
    await rig.look()
    expect(await rig.incidents()).toMatchObject([{ ClosedAtUtc: expect.any(String) }])
    expect(await rig.subjects()).toEqual(['Web shop does not add up'])
    await tieOut('red')
    await rig.look()
    expect(await rig.incidents()).toHaveLength(2)
  })

  test('is not told to an organisation that the connector is shared with', async () => {
    await tieOut('red')
    await rig.look()
    const { superadmin, otherAdmin } = rig.app.as
    await superadmin.call(connectors.assignOrganisations, {
      params: rig.params,
      body: { organisations: [rig.app.summit.id] },
    })
    const params = { clientId: rig.app.summit.id, connectorId: rig.connectorId }
    expect((await otherAdmin.call(alerts.incidents, { params })).body).toEqual([])
  })
})
