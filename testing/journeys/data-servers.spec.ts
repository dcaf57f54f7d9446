/** A superadmin registers a second PostgreSQL server, moves a warehouse to it in the portal, drains the server, and removes it. */
import { randomUUID } from 'node:crypto'
import type { APIRequestContext, Page } from '@playwright/test'
import type { Warehouse } from '@tributary/contract/warehouse'
import { type DataServerProcess, startDataServer } from '../databases/data-server.ts'
import { expectAccessible } from './accessible.ts'
import { runInBuiltIn } from './built-in-database.ts'
import { apiAs } from './people.ts'
import { expect, test } from './portal.ts'

const companyName = `Moving ${randomUUID().slice(0, 8)}`
let west: DataServerProcess
let clientId = ''

/** An organisation that no other journey changes, with a warehouse of some rows, a foreign key and a view. */
test.beforeAll(async ({ request }) => {
  test.setTimeout(120_000)
  west = await startDataServer()
  const provider = await apiAs(request, 'superadmin@demo.example')
  clientId = (await provider.post<{ Id: string }>('/organisations', { companyName })).Id
  const { Database } = await readAccess(request)
  await runInBuiltIn(
    `SET ROLE ${Database}_writer;
     CREATE SCHEMA shop;
     CREATE TABLE shop.sale (id int PRIMARY KEY, amount numeric);
     INSERT INTO shop.sale SELECT i, i * 0.01 FROM generate_series(1, 50000) i;
     CREATE TABLE shop.line (sale int REFERENCES shop.sale);
     INSERT INTO shop.line SELECT id FROM shop.sale WHERE id < 100;
     CREATE VIEW shop.large AS SELECT * FROM shop.sale WHERE amount > 400`,
    Database,
  )
})
test.afterAll(() => west[Symbol.asyncDispose]())

async function readAccess(request: APIRequestContext): Promise<Warehouse> {
  return await (await apiAs(request, 'superadmin@demo.example')).get(`/tributary/clients/${clientId}/warehouse`)
}

async function openWarehouse(page: Page) {
  await page.goto(`/admin/organisations?search=${encodeURIComponent(companyName)}`)
  const card = page.getByRole('article', { name: companyName })
  await card.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Warehouse' }).click()
  const drawer = page.getByRole('dialog', { name: /^Warehouse/ })
  await expect(drawer.getByRole('heading', { name: 'Move to another server' })).toBeVisible()
  return drawer
}

async function moveTo(page: Page, server: string) {
  const drawer = await openWarehouse(page)
  await drawer.getByLabel('Move to', { exact: true }).selectOption({ label: server })
  await drawer.getByRole('button', { name: 'Move', exact: true }).click()
  await expect(drawer.getByRole('progressbar', { name: 'Tables copied' }).or(drawer.getByText('is done'))).toBeVisible()
  await expect(drawer.getByText('The move is done. The old copy is kept for a day.')).toBeVisible({ timeout: 90_000 })
  return drawer
}

test('[SCALE-1] a server is added and tested, a warehouse moves to it from the click to the end, and the server is drained and removed', async ({
  page,
  portal,
  request,
}) => {
  test.setTimeout(300_000)
  await portal.signIn('superadmin', '/admin/configuration')
  await page.getByRole('button', { name: 'Add server' }).click()
  const dialog = page.getByRole('dialog', { name: 'Add server' })
  const entries: Readonly<Record<string, string>> = {
    Name: 'West',
    Region: 'Dublin',
    Host: west.host,
    Port: String(west.port),
    Database: west.admin.database,
    Role: west.admin.user,
    Password: west.admin.password,
  }
  for (const [label, text] of Object.entries(entries)) await dialog.getByLabel(label, { exact: true }).fill(text)
  await dialog.getByLabel('Encryption').selectOption('Off')
  await expectAccessible(page)
  await dialog.getByRole('button', { name: 'Save' }).click()
  const entry = page.getByRole('list', { name: 'Data servers' }).getByRole('listitem').filter({ hasText: 'West' })
  await entry.getByRole('button', { name: 'Test' }).click()
  await expect(entry).toContainText('West is ready: PostgreSQL')
  await expectAccessible(page)

  const before = await readAccess(request)
  const drawer = await moveTo(page, 'West, Dublin')
  await expect(drawer).toContainText(`${west.host}:${west.port}`)
  expect(await readAccess(request)).toMatchObject({ ...before, Port: west.port, Region: 'Dublin' })
  await expectAccessible(page)
  await drawer.getByRole('button', { name: 'Delete the old copy' }).click()
  await expect(drawer.getByText('The move is done, and the old copy is deleted.')).toBeVisible({ timeout: 60_000 })

  await page.goto('/admin/configuration')
  await expect(entry).toContainText('1 warehouse')
  await entry.getByRole('button', { name: 'Edit' }).click()
  const edit = page.getByRole('dialog', { name: 'Edit West' })
  await edit.getByLabel('Accepts new warehouses').uncheck()
  await edit.getByRole('button', { name: 'Save' }).click()
  await expect(entry).toContainText('accepts no new ones')
  const back = await moveTo(page, 'Default')
  await back.getByRole('button', { name: 'Delete the old copy' }).click()
  await expect(back.getByText('The move is done, and the old copy is deleted.')).toBeVisible({ timeout: 60_000 })
  await page.goto('/admin/configuration')
  await entry.getByRole('button', { name: 'Remove' }).click()
  await expect(entry).toHaveCount(0)
})
