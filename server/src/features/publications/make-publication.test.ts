/** What happens when the steps of a publication are interrupted. No worker runs, so that each step is the test's. */
import { publications } from '@tributary/contract/publications'
import { Fault } from '@tributary/engine/ports/faults'
import { runAs, writerOf } from '@tributary/testing/server/access/warehouse-login.ts'
import { publicationRig, type PublicationRig } from '@tributary/testing/server/connectors/publication-rig.ts'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { DecidedPublication } from './decide-publication.ts'

let rig: PublicationRig
beforeAll(async () => {
  rig = await publicationRig()
  await rig.save()
  await rig.runOnce(rig.shop)
  await rig.runOnce(rig.stock)
  await rig.untilSet(({ State }) => State === 'current')
  await rig.stop()
})
afterAll(() => rig[Symbol.asyncDispose]())

async function numbers(): Promise<readonly number[]> {
  const { Id: setId } = await rig.read()
  const params = { clientId: rig.app.harbour.id, setId }
  const { body } = await rig.app.as.admin.call(publications.history, { params, query: {} })
  return body.map(({ Number }) => Number)
}

const numberInTarget = async () =>
  (await rig.driver.inWarehouse<{ number: string }>('SELECT number FROM published.tributary_publication'))[0]?.number

test('[TRUST-12] a worker that was killed between the target and the record is continued with the same number', async () => {
  await rig.save({ connectors: [rig.shop] })
  const killed = new Error('The worker is gone.')
  await rig.decide({ afterPublishing: () => Promise.reject(killed) })
  expect([await numbers(), await numberInTarget()]).toEqual([[1], '2'])
  expect(await rig.read()).toMatchObject({ State: 'stays', Notice: expect.any(String) })
  const after: DecidedPublication[] = []
  const afterPublishing = (_db: unknown, publication: DecidedPublication) => {
    after.push(publication)
    return Promise.resolve()
  }
  await rig.decide({ afterPublishing })
  await rig.decide({ afterPublishing })
  expect(after).toMatchObject([{ number: 2, name: 'Tributary’s own warehouse', runs: [{ connectorId: rig.shop }] }])
  expect([await numbers(), await numberInTarget()]).toEqual([[2, 1], '2'])
  expect(await rig.read()).toMatchObject({ State: 'current', Notice: null, StaysSinceUtc: null })
})

test('[TRUST-12] a target that cannot be reached is tried again, and the page says why the publication stays', async () => {
  await rig.save()
  const notice = 'The warehouse is being moved.'
  await rig.decide({ warehouseTarget: () => Promise.reject(new Fault('passing', { code: 'test.away', notice })) })
  expect(await rig.read()).toMatchObject({ State: 'stays', Notice: notice, StaysSinceUtc: expect.any(String) })
  expect(await rig.viewNames()).toHaveLength(2)
  await rig.decide()
  expect(await rig.read()).toMatchObject({ State: 'current', Notice: null })
  expect(await rig.viewNames()).toHaveLength(4)
})

test('[TRUST-12] after a restore of the store, publications continue with a number above that of the target', async () => {
  const shown = Number(await numberInTarget())
  await rig.app.store.across(async (db) => {
    await sql`DELETE FROM publication`.execute(db)
    await sql`UPDATE publicationSet SET lastNumber = 0`.execute(db)
  })
  await rig.decide()
  await rig.decide()
  expect(await numbers()).toEqual([shown + 1])
  expect(Number(await numberInTarget())).toBe(shown + 1)
  expect(await rig.read()).toMatchObject({ State: 'current' })
})

test('[TRUST-12] if the target has lost what was prepared, nothing changes, and the page says what follows', async () => {
  const before = await numberInTarget()
  await rig.save({ connectors: [rig.shop] })
  await runAs(await writerOf(rig.app), 'DELETE FROM published.tributary_publication_offer')
  await rig.decide()
  expect(await rig.read()).toMatchObject({ State: 'stays', Notice: expect.stringContaining('next run') })
  expect([await numberInTarget(), (await rig.viewNames()).length]).toEqual([before, 4])
})
