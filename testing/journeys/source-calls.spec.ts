/** The calls of a connector to its source: what the day and the month allow, by day and by table. */
import { expectAccessible } from './accessible.ts'
import { findConnector } from './find-runs.ts'
import { expect, test } from './portal.ts'

const screens = [
  { account: 'admin', name: 'Nordlys ledger', type: 'uniconta', isShared: false },
  { account: 'superadmin', name: 'Branch stock', type: 'cin7', isShared: true },
] as const

for (const { account, name, type, isShared } of screens) {
  test(`[SRC-6] the calls of ${name} have no accessibility violation, wide and narrow, light and dark`, async ({
    page,
    portal,
    request,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    const { Id } = await findConnector(request, name)
    await portal.signIn(account, `/connectors/${type}/refresh?connector=${Id}&view=calls`)
    const drawer = page.getByRole('dialog')
    await expect(drawer.getByText(/^Today: [\d,]+ calls/u)).toBeVisible()
    await expect(drawer.getByText(/are expected in the whole month/u)).toBeVisible()
    await expect(drawer.getByRole('table', { name: 'Calls by table in the last 30 days' })).toBeVisible()
    await expect(drawer.getByRole('table', { name: /the same credentials/u })).toHaveCount(isShared ? 1 : 0)
    await expectAccessible(page, () => expect(drawer.getByRole('slider', { name: 'Calls, by day' })).toBeAttached())
  })
}

test('[SRC-6] the provider decides in the global configuration what happens near the allowance of a source', async ({
  page,
  portal,
}) => {
  await portal.signIn('superadmin', '/admin/configuration')
  for (const name of ['Keep Within Allowance', 'Thin Out Near Allowance', 'Refuse Manual Near Allowance'])
    await expect(page.getByRole('switch', { name })).toBeVisible()
})
