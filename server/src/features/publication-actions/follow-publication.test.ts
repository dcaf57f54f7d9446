/** That actions follow publications as a worker makes them, whatever interrupts it. */
import { publicationRig, type PublicationRig } from '@tributary/testing/server/connectors/publication-rig.ts'
import { until } from '@tributary/testing/server/connectors/run-driver.ts'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { afterPublishing } from '../../connections/publications/after-publishing.ts'

let rig: PublicationRig
let actionId: string
beforeAll(async () => {
  rig = await publicationRig()
  // With a secret that cannot be decrypted, so that the worker calls no service.
  const action = { kind: 'dbt', name: 'Models', isOn: true, settings: '{}', secret: 'sealed' } as const
  const added = await rig.app.store.within(rig.app.harbour.id, (db) =>
    db
      .insertInto('publicationAction')
      .values({ organisationId: rig.app.harbour.id, ...action })
      .returning('id')
      .executeTakeFirstOrThrow(),
  )
  actionId = added.id
})
afterAll(() => rig[Symbol.asyncDispose]())

/** Latest first. */
const listRuns = () =>
  rig.app.store.within(rig.app.harbour.id, (db) =>
    db
      .selectFrom('publicationActionRun')
      .select(['trigger', 'publication'])
      .where('actionId', '=', actionId)
      .orderBy('createdAt', 'desc')
      .execute(),
  )

test('[TRUST-13] a publication that a worker makes is followed by a run, which names what was published', async () => {
  await rig.save()
  const shopRun = await rig.runOnce(rig.shop)
  await rig.runOnce(rig.stock)
  const { Id: setId } = await rig.untilSet(({ State }) => State === 'current')
  const [run] = await until(listRuns, (runs) => runs.length > 0)
  expect(run).toMatchObject({ trigger: 'publication', publication: { SetId: setId, Number: 1 } })
  expect(run?.publication).toMatchObject({
    Connectors: expect.arrayContaining([
      {
        Id: rig.shop,
        Name: expect.any(String),
        Type: 'postgres',
        RunId: shopRun,
        MomentUtc: expect.stringMatching(/^2.+Z$/u),
      },
    ]),
  })
})

test('[TRUST-13] a publication whose record was interrupted is followed once', async () => {
  await rig.stop()
  const before = (await listRuns()).length
  await rig.save({ connectors: [rig.shop] })
  await rig.decide({
    async afterPublishing(db, publication) {
      await afterPublishing(db, publication)
      throw new Error('The worker is gone.')
    },
  })
  expect(await listRuns()).toHaveLength(before)
  await rig.decide({ afterPublishing })
  await rig.decide({ afterPublishing })
  expect(await listRuns()).toHaveLength(before + 1)
})
