import type { Locator, Page } from '@playwright/test'
import { expectAccessible } from './accessible.ts'
import { expect, expectEnd, test } from './portal.ts'

const types = [
  { type: 'sqlserver', title: 'SQL Server', fields: ['Host', 'Database', 'Username', 'Password'] },
  { type: 'postgres', title: 'PostgreSQL', fields: ['Host', 'Port', 'Database', 'User', 'Password'] },
  { type: 'mysql', title: 'MySQL / MariaDB', fields: ['Host', 'Port', 'Database', 'Username', 'Password'] },
  { type: 'cin7', title: 'Cin7 Core', fields: ['Account Id', 'Application Key'] },
  { type: 'e-conomic', title: 'e-conomic', fields: ['App secret token', 'Agreement grant token'] },
  { type: 'stripe', title: 'Stripe', fields: ['API key'] },
  {
    type: 'business-central',
    title: 'Business Central',
    fields: ['Directory (tenant) ID', 'Environment', 'Application (client) ID', 'Client secret'],
  },
  { type: 'uniconta', title: 'Uniconta', fields: ['Username', 'Password'] },
] as const

for (const { type, title, fields } of types) {
  test(`[MAN-7] ${title} shows its own fields and the target, and where to find their values`, async ({
    page,
    portal,
  }) => {
    await portal.signIn('admin')
    const dialog = await openAdd(page, type)
    await expect(dialog).toHaveAccessibleName(`Add ${title}`)
    for (const label of fields) await expect(dialog.getByLabel(label, { exact: true })).toBeVisible()
    await expect(dialog.getByRole('heading', { name: 'Connection', exact: true })).toBeVisible()
    await expect(dialog.getByText('Tributary stores the data for you')).toBeVisible()
    await expect(dialog.getByText(/‘Connect your reports’ on the connector’s page/)).toBeVisible()
    const guide = dialog.getByRole('complementary', { name: 'Where do I find this?' })
    await expect(guide.getByRole('listitem').first()).toBeVisible()
    const [form, guideBox] = [await dialog.getByLabel('Name', { exact: true }).boundingBox(), await guide.boundingBox()]
    expect(guideBox?.x).toBeGreaterThan((form?.x ?? 0) + (form?.width ?? 0))
  })

  test(`adding ${title} has no accessibility violation, in light and dark, at 1280, 768 and 360`, async ({
    page,
    portal,
  }) => {
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await portal.signIn('superadmin')
    const dialog = await openAdd(page, type)
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expectAccessible(page, () => expect(dialog.getByText('required', { exact: true }).first()).toBeVisible())
  })
}

test('[MAN-7] SQL Server also has Multiple Active Result Sets', async ({ page, portal }) => {
  await portal.signIn('admin')
  const dialog = await openAdd(page, 'sqlserver')
  await expect(dialog.getByRole('switch', { name: 'Multiple Active Result Sets' })).not.toBeChecked()
})

test('[MAN-7] at 360 the guide is below the form', async ({ page, portal }) => {
  await portal.signIn('admin')
  await page.setViewportSize({ width: 360, height: 800 })
  const dialog = await openAdd(page, 'cin7')
  const key = await dialog.getByLabel('Application Key', { exact: true }).boundingBox()
  const guide = await dialog.getByRole('complementary').boundingBox()
  expect(guide?.y).toBeGreaterThan((key?.y ?? 0) + (key?.height ?? 0))
})

test('[MAN-7] a pasted connection string fills host, database and user of the source', async ({ page, portal }) => {
  await portal.signIn('admin')
  const dialog = await openAdd(page, 'sqlserver')
  await dialog.getByRole('button', { name: 'Paste a connection string' }).click()
  const box = dialog.getByRole('textbox', { name: 'Connection string' })
  await box.fill('nonsense')
  await box.press('Enter')
  await expect(dialog.getByText(/^No server was found in this/)).toBeVisible()
  await box.fill(
    'Server=tcp:sql01.example.com,1433;Initial Catalog=Sales;User ID=reader;Password=p;MultipleActiveResultSets=True',
  )
  await box.press('Enter')
  await expect(dialog.getByLabel('Host', { exact: true })).toHaveValue('tcp:sql01.example.com,1433')
  await expect(dialog.getByLabel('Database', { exact: true })).toHaveValue('Sales')
  await expect(dialog.getByLabel('Username', { exact: true })).toHaveValue('reader')
  await expect(dialog.getByLabel('Password', { exact: true })).toHaveValue('p')
  await expect(dialog.getByLabel('Multiple Active Result Sets')).toBeChecked()
  await expect(box).toHaveCount(0)
})

test('the tree of tables, and all settings of a superadmin, have no accessibility violation', async ({
  page,
  portal,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await portal.signIn('superadmin')
  const dialog = await openEdit(page)
  await dialog.getByRole('button', { name: 'Show the tables' }).click()
  await dialog.getByRole('treeitem', { name: /shop.orders/ }).click()
  for (const name of ['Schema changes', 'Licences', 'Alerts', 'Sharing'])
    await dialog.getByRole('heading', { name }).click()
  await expectAccessible(page, () => expect(dialog.getByLabel('Webhook')).toBeVisible())
})

test('[ENG-1] the tables of the source are shown before anything is saved; unticked tables are not copied', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin')
  const dialog = await openAdd(page, 'postgres')
  await dialog.getByRole('button', { name: 'Fill with demo source' }).click()
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Chosen tables')
  await dialog.getByRole('button', { name: 'Show the tables' }).click()
  const tree = dialog.getByRole('tree', { name: 'Tables' })
  await tree.getByRole('treeitem', { name: /shop.order_lines/ }).click()
  await dialog.getByRole('searchbox', { name: 'Search tables and columns' }).fill('customers')
  await expect(tree.getByRole('treeitem')).toHaveCount(1)
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/[?&]run=/)
  const run = page.getByRole('dialog')
  await expectEnd(run)
  await expect(run).toContainText('shop_customers')
  await expect(run).not.toContainText('shop_order_lines')
})

async function openAdd(page: Page, type: string): Promise<Locator> {
  await page.goto(`/connectors/${type}/manage?new=true`)
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: 'Save' })).toBeVisible()
  return dialog
}

async function openEdit(page: Page): Promise<Locator> {
  await page.goto('/connectors/postgres/manage')
  await page.getByRole('article', { name: 'Web shop' }).getByRole('button', { name: 'Edit' }).click()
  return page.getByRole('dialog')
}
