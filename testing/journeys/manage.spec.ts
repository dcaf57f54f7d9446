import type { Page } from '@playwright/test'
import { addDemo, openManage } from './manage.ts'
import { expect, expectEnd, test } from './portal.ts'

test('[MAN-1] new=true starts adding a connector, and Cancel then goes home', async ({ page, portal }) => {
  await portal.signIn('admin')
  await page.goto('/connectors/cin7/manage?new=true')
  const dialog = page.getByRole('dialog', { name: /Add Cin7 Core/ })
  await expect(dialog).toBeVisible()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await page.waitForURL('**/home')
})

test('[MAN-7] otherwise Cancel only closes', async ({ page, portal }) => {
  await openManage(page, portal, 'cin7')
  await page.getByRole('button', { name: 'Add connector' }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(dialog).toHaveCount(0)
  expect(new URL(page.url()).pathname).toBe('/connectors/cin7/manage')
})

for (const [error, text] of [
  ['unauthorised', 'Adding the Cin7 Core connector was either cancelled or was not allowed.'],
  [
    'connector_exists',
    'The Cin7 Core connector you are trying to add already belongs to another organisation. Please speak to your organisation administrator.',
  ],
  ['anything', 'Something seems to have gone wrong while trying to add the Cin7 Core connector. Please try again.'],
] as const) {
  test(`[MAN-1] [MAN-5] error=${error} shows its message`, async ({ page, portal }) => {
    await portal.signIn('admin')
    await page.goto(`/connectors/cin7/manage?error=${error}`)
    await expect(page.getByRole('alert')).toContainText(text)
  })
}

for (const account of ['superadmin', 'provideradmin', 'admin'] as const) {
  test(`[MAN-1] [MAN-2] [ROLE-1] ${account} adds, edits, deletes, disconnects all connectors and manages users`, async ({
    page,
    portal,
  }) => {
    await openManage(page, portal, 'cin7', account)
    await expect(page.getByRole('button', { name: 'Add connector' })).toBeVisible()
    await expect(page.getByRole('button', { name: 'Disconnect all' })).toBeEnabled()
    const card = page.getByRole('article', { name: 'Stock and sales' })
    for (const name of ['Manage users', 'Edit']) await expect(card.getByRole('button', { name })).toBeVisible()
    await expect(card.getByRole('button', { name: 'Disconnect' })).toHaveCount(0)
  })
}

test('[MAN-3] a connector whose credentials were refused reads ‘unkown’, the others ‘connected’', async ({
  page,
  portal,
}) => {
  await openManage(page, portal, 'postgres')
  await expect(page.getByRole('article', { name: 'Old shop archive' })).toContainText('unkown')
  await expect(page.getByRole('article', { name: 'Web shop' })).toContainText('connected')
})

test('[MAN-3] [MAN-4] deleting a connector requires its name, then the card is greyed out without actions', async ({
  page,
  portal,
}) => {
  await portal.signIn('admin')
  await page.goto('/connectors/cin7/manage?new=true')
  await addDemo(page, 'To be deleted')
  await page.goto('/connectors/cin7/manage')
  const card = page.getByRole('article', { name: 'To be deleted' })
  await openDelete(page, card)
  const dialog = page.getByRole('dialog')
  const confirm = dialog.getByRole('button', { name: 'Delete', exact: true })
  await expect(confirm).toBeDisabled()
  await dialog.getByRole('textbox').fill('To be deleted')
  await confirm.click()
  await expect(dialog).toHaveCount(0)
  await expect(card.getByRole('button')).toHaveCount(0)
})

test('[MAN-1] [MAN-3] [MAN-4] Disconnect all shows what stops; afterwards it is disabled, the cards are greyed out, and one can be reconnected', async ({
  page,
  portal,
}) => {
  await portal.signIn('otherAdmin')
  await page.goto('/connectors/postgres/manage')
  const card = page.getByRole('article', { name: 'Summit shop' })
  await expect(card).toContainText('connected')
  await page.getByRole('button', { name: 'Disconnect all' }).click()
  const dialog = page.getByRole('dialog')
  const stopping = dialog.getByRole('list', { name: 'What will stop' }).getByRole('listitem')
  await expect(stopping.filter({ hasText: 'Summit shop' })).toBeVisible()
  await dialog.getByRole('textbox').fill(String(await stopping.count()))
  await dialog.getByRole('button', { name: 'Disconnect all' }).click()
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Disconnect all' })).toBeDisabled()
  await expect(card).toContainText('disconnected')
  await expect(card.getByRole('button')).toHaveCount(0)

  await page.getByRole('button', { name: 'Reconnect' }).click()
  await expect(dialog).toHaveAccessibleName('Reconnect Summit shop')
  await dialog.getByRole('button', { name: 'Fill with demo source' }).click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await page.waitForURL(/[?&]run=/)
  await expectEnd(page.getByRole('dialog'))
})

test('[MAN-4] Manage users is a searchable list, and Save waits for a change', async ({ page, portal }) => {
  await openManage(page, portal, 'postgres')
  await page.getByRole('article', { name: 'Web shop' }).getByRole('button', { name: 'Manage users' }).click()
  const dialog = page.getByRole('dialog', { name: 'Manage users' })
  const save = dialog.getByRole('button', { name: 'Save' })
  await expect(dialog.getByRole('checkbox').first()).toBeVisible()
  await expect(save).toBeDisabled()
  await dialog.getByRole('searchbox', { name: 'Search users' }).fill('arne.vik@demo')
  await expect(dialog.getByRole('checkbox')).toHaveCount(1)
  await dialog.getByRole('checkbox').click()
  await expect(dialog.getByText('1 change', { exact: true })).toBeVisible()
  await expect(save).toBeEnabled()
  await dialog.getByRole('button', { name: /^(Select|Untick) all 1 found$/ }).click()
  await expect(save).toBeDisabled()
  await dialog.getByRole('checkbox').click()
  await save.click()
  await expect(dialog).toHaveCount(0)
})

test('[FORM-1] required fields are marked, and the form is sent only when all are valid', async ({ page, portal }) => {
  await portal.signIn('admin')
  await page.goto('/connectors/cin7/manage?new=true')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByText('required', { exact: true }).first()).toBeVisible()
  await expect(dialog).toBeVisible()
})

test('Test connection shows its checks on both sides', async ({ page, portal }) => {
  await portal.signIn('admin')
  await page.goto('/connectors/cin7/manage?new=true')
  const dialog = page.getByRole('dialog')
  await dialog.getByRole('button', { name: 'Fill with demo source' }).click()
  await dialog.getByRole('button', { name: 'Test connection' }).click()
  await expect(dialog.getByText(/passed/i).first()).toBeVisible()
})

test('a stored secret is never shown again, and saving with the mask keeps it', async ({ page, portal }) => {
  await openManage(page, portal, 'cin7')
  await page.getByRole('article', { name: 'Stock and sales' }).getByRole('button', { name: 'Edit' }).click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('button', { name: /Replace/ }).first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Test connection' }).click()
  await expect(dialog.getByText(/passed/i).first()).toBeVisible()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toHaveCount(0)
})

async function openDelete(page: Page, card: ReturnType<Page['getByRole']>): Promise<void> {
  await card.getByRole('button', { name: 'Delete' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
}

test('[MAN-6] [ROLE-2] users that could not be assigned are shown with the message of the catalogue, and the selection stays', async ({
  page,
  portal,
}) => {
  portal.expectFailedCalls()
  await openManage(page, portal, 'postgres')
  await page.route('**/assign-users', (route) =>
    route.fulfill({ status: 500, json: { statusCode: 500, error: 'E', message: 'x', code: 'broken', reference: 'r' } }),
  )
  await page.getByRole('article', { name: 'Web shop' }).getByRole('button', { name: 'Manage users' }).click()
  const dialog = page.getByRole('dialog', { name: 'Manage users' })
  const gareth = dialog.getByRole('checkbox', { name: /Gareth Pike/ })
  const before = await gareth.isChecked()
  await gareth.click()
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog.getByRole('alert')).toContainText(
    'There was a problem with trying to assign the selected connectors. Please try again, but if the problem persists, please contact the provider.',
  )
  expect(await gareth.isChecked()).toBe(!before)
})

for (const account of ['user', 'guest'] as const) {
  test(`[MAN-2] [ROLE-1] ${account} sees the users of a connector, cannot change them, and is refused the rest`, async ({
    page,
    portal,
  }) => {
    await openManage(page, portal, 'postgres', account)
    const card = page.getByRole('article', { name: 'Web shop' })
    await expect(card.getByRole('button')).toHaveText(['Manage users'])
    for (const name of ['Add connector', 'Disconnect all'])
      await expect(page.getByRole('button', { name })).toHaveCount(0)
    await card.getByRole('button', { name: 'Manage users' }).click()
    const dialog = page.getByRole('dialog', { name: 'Manage users' })
    await expect(dialog).toContainText('Only administrators of this organisation can change this.')
    await expect(dialog.getByRole('button', { name: 'Save' })).toBeDisabled()
    await page.goto('/connectors/postgres/manage?new=true')
    await expect(page.getByText('You cannot add a connector.')).toBeVisible()
    await expect(page.getByRole('dialog')).toHaveCount(0)
  })
}
