import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { type AlertRig, openAlertRig } from '@tributary/testing/server/connectors/alert-rig.ts'
import {
  rowDifference,
  storeVerifications,
  streamVerification,
} from '@tributary/testing/server/connectors/verification-fixtures.ts'

let rig: AlertRig
beforeAll(async () => {
  rig = await openAlertRig()
})
afterAll(() => rig[Symbol.asyncDispose]())
beforeEach(() => rig.begin())

const store = (...results: Parameters<typeof storeVerifications>[2]) =>
  rig.app.store.within(rig.app.harbour.id, (db) =>
    storeVerifications(db, { organisationId: rig.app.harbour.id, connectorId: rig.connectorId }, results),
  )
const differing = (name: string, ...ids: string[]) =>
  streamVerification(name, { outcome: 'different', differences: ids.map((id) => rowDifference(id)) })

describe('a table that differs from its source', () => {
  test('[TRUST-2] opens one incident of its own, which closes when the next verification is identical', async () => {
    const runId = await store(differing('sale', '1', '2'), differing('sale_line', '1'))
    await rig.watchConnectors()
    await store(differing('sale', '1', '2', '3'))
    await rig.watchConnectors()
    expect(await rig.incidents()).toMatchObject([
      {
        RunId: runId,
        Kind: 'verification',
        Notice: '3 rows of 2 tables differ from the source: sale, sale_line.',
        ClosedAtUtc: null,
        Deliveries: [{ Event: 'opened' }],
      },
    ])
    await store(streamVerification('sale'))
    await rig.watchConnectors()
    expect(await rig.incidents()).toMatchObject([{ ClosedAtUtc: null }])
    await store(streamVerification('sale_line'))
    await rig.watchConnectors()
    await rig.watchConnectors()
    expect(await rig.incidents()).toMatchObject([{ ClosedAtUtc: expect.any(String), Deliveries: [{}, {}] }])
    expect(await rig.subjects()).toEqual([
      'Web shop differs from its source',
      'Web shop is identical with its source again',
    ])
    const [email] = await rig.app.emailsTo('admin@demo.example')
    expect(email?.paragraphs.join(' ')).toContain('3 rows of 2 tables')
    await store(differing('sale', '9'))
    await rig.watchConnectors()
    expect(await rig.incidents()).toHaveLength(2)
  })

  test('[TRUST-2] has an incident next to that of a failed run, and a verification closes none of a run', async () => {
    await rig.fail()
    await rig.watchConnectors()
    await store(differing('sale', '1'))
    await rig.watchConnectors()
    const open = async () => (await rig.incidents()).filter(({ ClosedAtUtc }) => ClosedAtUtc === null)
    expect((await open()).map(({ Kind }) => Kind).toSorted()).toEqual(['signIn', 'verification'])
    await store(streamVerification('sale'))
    await rig.watchConnectors()
    expect((await open()).map(({ Kind }) => Kind)).toEqual(['signIn'])
  })
})
