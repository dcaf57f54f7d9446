/** A refused load says what the user can do about it. */
import type { SheetCell } from '@tributary/contract/cells'
import { planningStructure } from '@tributary/contract/planning-structure'
import { statusIds } from '@tributary/testing/server/app/fixed-ids.ts'
import { afterEach, beforeEach, expect, test } from 'vitest'
import {
  LoadClient,
  planForLoads,
  type PlanFixture,
  defaultSlice,
} from '@tributary/testing/server/excel/load-sheets.ts'
import { testApp, type TestApp } from '@tributary/testing/server/app/test-app.ts'

let app: TestApp
let plan: PlanFixture
beforeEach(async () => {
  app = await testApp()
  plan = await planForLoads(app)
})
afterEach(() => app[Symbol.asyncDispose]())

const rows: SheetCell[][] = [[{ n: '1' }]]

async function messagesOf(who: 'user' | 'admin'): Promise<string> {
  const loading = new LoadClient(app.as[who])
  const sheet = { columns: ['Amount'], rows }
  const foreign = await loading.check(
    await loading.begin({ versionId: plan.versionId }, sheet, { ...defaultSlice, area: 'Hidden', entity: 'Two' }),
  )
  const body = { versionId: plan.versionId, source: 'portal', workbook: 'w', sheet: 's', columns: ['Amount'] }
  await app.as.admin.call(planningStructure.changeVersion, {
    params: { versionId: plan.versionId },
    body: { statusId: statusIds.locked },
  })
  const locked = await app.as[who].send<{ message: string }>('POST', '/api/loads', { body })
  await app.as.admin.call(planningStructure.changeVersion, {
    params: { versionId: plan.versionId },
    body: { statusId: statusIds.active },
  })
  expect(locked.status).toBe(422)
  return [...foreign.Errors.map(({ Message }) => Message), locked.body.message].join(' ')
}

test('[ENG-5] users are referred to an administrator; administrators see where to grant access themselves', async () => {
  const [user, admin] = [await messagesOf('user'), await messagesOf('admin')]
  expect(user).toContain(
    'There is no entity ‘Two’ that you may use. Check the spelling. Ask an administrator of the organisation for access.',
  )
  expect(user).toContain('‘Budget 2026’ is locked. Choose another table, or ask an administrator to unlock it.')
  expect(admin).toContain('Check the spelling. Give yourself access under Excel, Security.')
  expect(admin).toContain('‘Budget 2026’ is locked. Choose another table, or unlock it under Excel.')
  expect(admin).not.toMatch(/administrator/iu)
})
