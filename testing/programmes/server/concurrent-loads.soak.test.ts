/** Races of two people who load the same slice: a dozen as a slice, fifty with `npm run soak`. */
import { afterEach, beforeEach, expect, test } from 'vitest'
import { LoadClient, loadDatabases, planForLoads } from '../../server/excel/load-sheets.ts'
import { testApp, type TestApp } from '../../server/app/test-app.ts'
import { isFull } from '../extent.ts'

const races = isFull ? 50 : 12

let app: TestApp
beforeEach(async () => {
  app = await testApp()
})
afterEach(() => app[Symbol.asyncDispose]())

test(`[ENG-5] of two concurrent loads of a slice, ${races} times, one wins completely and the other receives an error; rows are never mixed`, async () => {
  const { versionId } = await planForLoads(app)
  const place = await loadDatabases[0]?.open(app)
  const people = [new LoadClient(app.as.user), new LoadClient(app.as.admin)]
  for (let race = 1; race <= races; race += 1) {
    const begun = await Promise.all(
      people.map(async (person, at) => {
        const amounts = Array.from({ length: 3 + at }, () => ({ n: `${race}.${at + 1}` }))
        const rows = amounts.map((amount, line) => [`line ${line}`, amount])
        const loadId = await person.begin({ versionId }, { columns: ['Line', 'Amount'], rows })
        return { person, loadId, seen: (await person.check(loadId)).Seen }
      }),
    )
    const replies = await Promise.all(begun.map(({ person, loadId, seen }) => person.commit(loadId, seen)))
    expect([race, replies.map(({ status }) => status).toSorted()]).toEqual([race, [200, 409]])
    const winner = replies.findIndex(({ status }) => status === 200)
    const amounts = (await place?.rowsOf('B2SBudget2026', ['Amount']))?.map(([amount]) => Number(amount))
    expect(amounts).toEqual(Array.from({ length: 3 + winner }, () => Number(`${race}.${winner + 1}`)))
  }
}, 300_000)
