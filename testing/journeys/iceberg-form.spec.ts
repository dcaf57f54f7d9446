/** The form of a connector whose rows go into Iceberg tables. */
import { expectAccessible } from './accessible.ts'
import { expect, test } from './portal.ts'

test('[LAKE-1] /connectors/postgres/manage with an Iceberg target, in a folder and in a catalog, has no accessibility violation', async ({
  page,
  portal,
}) => {
  test.setTimeout(180_000)
  await portal.signIn('admin', '/connectors/postgres/manage?new=true')
  const dialog = page.getByRole('dialog', { name: 'Add PostgreSQL' })
  await dialog.getByLabel('Where the rows go').selectOption({ label: 'Apache Iceberg' })
  await expect(dialog.getByLabel('Rows that change')).toBeVisible()
  await expect(dialog.getByLabel('Sign-in to the catalog')).toHaveCount(0)
  await expectAccessible(page)
  await dialog.getByLabel('Address of the catalog').fill('https://catalog.example.com/iceberg')
  await dialog.getByLabel('Access to the files').selectOption({ label: 'Amazon S3 or compatible' })
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByLabel('Client id')).toHaveAccessibleDescription(/required/u)
  await expectAccessible(page)
})
