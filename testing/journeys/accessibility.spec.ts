import type { Page } from '@playwright/test'
import { expectAccessible, expectNoViolation } from './accessible.ts'
import { expect, test, type TrialAccount } from './portal.ts'

// These tests are read-only, and take too long in sequence.
test.describe.configure({ mode: 'parallel' })

// Titles begin with the path: web/src/app/every-route.test.tsx uses it to find routes without such a test.

interface Screen {
  readonly name: string
  readonly account: TrialAccount | null
  readonly path: string
  readonly ready: (page: Page) => Promise<unknown>
}

const seen = (role: Parameters<Page['getByRole']>[0], name?: string | RegExp) => (page: Page) =>
  expect(page.getByRole(role, name === undefined ? {} : { name }).first()).toBeVisible()

/** Waits for a title with text, because the title of a loading page is empty. */
const titled = (page: Page) => expect(page.getByRole('heading', { level: 1, name: /\S/u })).toBeVisible()

/** Opens a dialog without fields. */
const shown = (button: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name: button }).first().click()
  await expect(page.getByRole('dialog')).toBeVisible()
}

/** Opens the dialog of a button, and then presses a button in the dialog. */
const opened = (button: string, then?: string) => async (page: Page) => {
  await page.getByRole('button', { name: button }).first().click()
  const dialog = page.getByRole('dialog')
  await expect(dialog.getByRole('textbox').first()).toBeVisible()
  if (then !== undefined) await dialog.getByRole('button', { name: then }).click()
}

const screens: readonly Screen[] = [
  { name: 'sign-in', account: null, path: '/signin', ready: seen('button', 'Sign in') },
  {
    name: 'code of a sign-in',
    account: null,
    path: '/signin/confirm?reference=any',
    ready: seen('textbox', 'Verification code'),
  },
  { name: 'sign-up', account: null, path: '/signup', ready: seen('button', 'Sign up') },
  {
    name: 'sign-up that failed',
    account: null,
    path: '/signup?error=unauthorised&provider=Xero',
    ready: seen('alert'),
  },
  { name: 'mailbox', account: null, path: '/mailbox', ready: seen('heading', 'Mailbox') },
  { name: 'forgotten password', account: null, path: '/reset-password', ready: titled },
  { name: 'finishing a sign-up', account: null, path: '/signup/finalise?code=any', ready: seen('link') },
  { name: 'with /signup/frame in it', account: null, path: '/signup?provider=Acme&atid=any', ready: titled },
  {
    name: 'a link that is spent',
    account: null,
    path: '/reset-password/any-token',
    ready: seen('button', 'Send the link'),
  },
  { name: 'the first superadmin', account: null, path: '/setup', ready: seen('textbox', 'Code') },
  { name: 'home', account: 'admin', path: '/home', ready: seen('link', 'Cin7 Core') },
  { name: 'dashboard', account: 'superadmin', path: '/connectors/postgres/refresh', ready: seen('article') },
  { name: 'dashboard with a stalled run', account: 'admin', path: '/connectors/cin7/refresh', ready: seen('article') },
  { name: 'dashboard, empty', account: 'guest', path: '/connectors/mysql/refresh', ready: titled },
  { name: 'management', account: 'superadmin', path: '/connectors/cin7/manage', ready: seen('article') },
  {
    name: 'adding a connector',
    account: 'superadmin',
    path: '/connectors/sqlserver/manage?new=true',
    ready: seen('dialog'),
  },
  {
    name: 'administration',
    account: 'superadmin',
    path: '/admin/dashboard',
    ready: seen('heading', /insights|running|organisation/i),
  },
  { name: 'users', account: 'admin', path: '/admin/security/users', ready: seen('article') },
  {
    name: 'users as a table, with selected ones',
    account: 'admin',
    path: '/admin/security/users?layout=table',
    ready: async (page) => {
      await page.getByRole('checkbox', { name: 'Select all' }).check()
      await expect(page.getByRole('group', { name: 'Selected users' })).toBeVisible()
    },
  },
  { name: 'invited people', account: 'admin', path: '/admin/security/users', ready: shown(/^\d+ invited$/u) },
  {
    name: 'connectors as a table',
    account: 'superadmin',
    path: '/connectors/postgres/refresh?layout=table',
    ready: seen('table'),
  },
  { name: 'structure map', account: 'admin', path: '/excel/map', ready: seen('list', /^Steps/) },
  { name: 'areas', account: 'superadmin', path: '/excel/areas', ready: seen('table', 'Areas') },
  {
    name: 'areas, nothing found',
    account: 'admin',
    path: '/excel/areas?search=nowhere',
    ready: seen('button', 'Clear search'),
  },
  { name: 'subareas', account: 'user', path: '/excel/subareas', ready: seen('table', 'Subareas') },
  { name: 'versions', account: 'superadmin', path: '/excel/versions', ready: seen('table', 'Versions') },
  { name: 'helper tables', account: 'admin', path: '/excel/helper-tables', ready: seen('table', 'Helper Tables') },
  {
    name: 'table synchronisation',
    account: 'admin',
    path: '/excel/table-synchronisation',
    ready: seen('button', 'Synchronise'),
  },
  { name: 'entities', account: 'admin', path: '/excel/security/entities', ready: seen('table', /^Entities/) },
  { name: 'configuration', account: 'provideradmin', path: '/admin/configuration', ready: seen('switch') },
  { name: 'workbench', account: 'superadmin', path: '/admin/workbench', ready: seen('button', 'New draft') },
  { name: 'organisations', account: 'provideradmin', path: '/admin/organisations', ready: seen('article') },
  { name: 'approvals', account: 'provideradmin', path: '/admin/approvals', ready: seen('article') },
  {
    name: 'an approval that is not there',
    account: 'admin',
    path: '/admin/approvals/00000000-0000-4000-8000-000000000999?status=APPROVED',
    ready: seen('alert'),
  },
  { name: 'audit log', account: 'admin', path: '/admin/audit-log', ready: seen('table') },
  { name: 'the record of an event', account: 'admin', path: '/admin/audit-log', ready: shown('Details') },
  { name: 'alerts', account: 'admin', path: '/admin/alerts', ready: seen('button', 'Add a channel') },
  { name: 'actions', account: 'admin', path: '/data/after-publishing', ready: seen('button', 'Add an action') },
  { name: 'access tokens', account: 'user', path: '/profile/access-tokens', ready: seen('button', 'New token') },
  { name: 'no request of an assistant', account: 'user', path: '/oauth/authorize', ready: titled },
  { name: 'making an access token', account: 'user', path: '/profile/access-tokens', ready: opened('New token') },
  {
    name: 'access tokens of the organisation',
    account: 'admin',
    path: '/admin/access-tokens',
    ready: seen('button', 'Add a service account'),
  },
  { name: 'assistants', account: 'admin', path: '/admin/assistants', ready: seen('switch', 'Xero') },
  { name: 'adding an alert channel', account: 'admin', path: '/admin/alerts', ready: opened('Add a channel') },
  { name: 'adding a user', account: 'superadmin', path: '/admin/security/users', ready: opened('Add user', 'Save') },
  { name: 'editing a user', account: 'superadmin', path: '/admin/security/users', ready: opened('Edit') },
  { name: 'inviting', account: 'admin', path: '/admin/security/users', ready: opened('Invite by email') },
  {
    name: 'adding an organisation',
    account: 'provideradmin',
    path: '/admin/organisations',
    ready: opened('Add organisation'),
  },
  { name: 'profile', account: 'user', path: '/profile', ready: titled },
  { name: 'area links', account: 'admin', path: '/excel/subareas/link', ready: seen('table') },
  { name: 'link editor', account: 'admin', path: '/excel/subareas/link?edit=new', ready: seen('radio') },
  { name: 'link matrix', account: 'admin', path: '/excel/subareas/link?view=matrix', ready: seen('grid') },
  { name: 'links of subareas', account: 'admin', path: '/excel/subarea-areas', ready: seen('table') },
  { name: 'assignments', account: 'admin', path: '/excel/security/user-security-groups', ready: seen('table') },
  { name: 'user helper tables', account: 'admin', path: '/excel/security/user-helper-tables', ready: seen('table') },
  { name: 'helper table users', account: 'admin', path: '/excel/helper-table-users', ready: seen('table') },
  { name: 'user entities', account: 'admin', path: '/excel/user-entities', ready: seen('table') },
  { name: 'entity users', account: 'admin', path: '/excel/entity-users', ready: seen('navigation', 'View') },
  { name: 'security groups', account: 'superadmin', path: '/excel/security/security-groups', ready: seen('table') },
  {
    name: 'wizard, areas',
    account: 'admin',
    path: '/excel/security/security-groups?group=new&step=area',
    ready: seen('radio'),
  },
  {
    name: 'wizard, milestones',
    account: 'admin',
    path: '/excel/security/security-groups?group=new&step=version',
    ready: seen('radio'),
  },
  { name: 'loads', account: 'user', path: '/excel/loads', ready: seen('searchbox', 'Search loads') },
  {
    name: 'tokens',
    account: 'superadmin',
    path: '/connectors/xero/v2/tokens',
    ready: seen('navigation', 'Breadcrumb'),
  },
  {
    name: 'products',
    account: 'superadmin',
    path: '/connectors/xero/v2/synchronise',
    ready: seen('heading', /Ready to Sync/),
  },
  {
    name: 'users of products',
    account: 'admin',
    path: '/connectors/xero/v2/assign-users',
    ready: seen('navigation', 'Breadcrumb'),
  },
  { name: 'refused', account: 'user', path: '/admin/dashboard', ready: titled },
]

for (const { name, account, path, ready } of screens) {
  test(`${path}, ${name}, has no accessibility violation, in light and dark, at 1280, 768 and 360`, async ({
    page,
    portal,
  }) => {
    // The server refuses invalid links and codes.
    if (account === null) portal.expectFailedCalls()
    await page.emulateMedia({ reducedMotion: 'reduce' })
    await (account === null ? page.goto(path) : portal.signIn(account, path))
    await ready(page)
    await expectAccessible(page)
  })
}

test('several requests to join, and the confirmation that lists them, have no accessibility violation', async ({
  page,
  portal,
}) => {
  const requestOf = (name: string) => ({
    Id: crypto.randomUUID(),
    ApprovalType: 'JOIN_ORGANISATION',
    ApprovalStatus: 'PENDING',
    CreatedAtUtc: new Date().toISOString(),
    ApprovedAtUtc: null,
    ApprovedUser: null,
    RejectionReason: null,
    ApprovalContext: JSON.stringify({
      Description: `${name} asks to join.`,
      ApplicantName: name,
      CompanyName: 'Harbour',
    }),
  })
  const requests = ['Ana Ruiz', 'Ben Cole', 'Cleo Dahl'].map(requestOf)
  await page.route('**/api/approvals**', (route) => route.fulfill({ json: requests }))
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await portal.signIn('admin', '/admin/approvals')
  await page.getByRole('button', { name: 'Select all' }).click()
  await page.getByRole('article').first().getByRole('button', { name: 'Reject' }).click()
  await expectAccessible(page)
  await page.getByRole('button', { name: 'Reject selected' }).click()
  await expect(page.getByRole('dialog', { name: 'Reject 3 requests?' })).toBeVisible()
  await expectAccessible(page)
})

test('an unknown path has no accessibility violation', async ({ page, portal }) => {
  await portal.signIn('user')
  await page.goto('/no/such/page')
  await titled(page)
  await expectAccessible(page)
})

test('the details of a run have no accessibility violation', async ({ page, portal }) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await portal.signIn('admin')
  await page.goto('/connectors/postgres/refresh')
  await page.getByRole('article', { name: 'Web shop' }).getByRole('link', { name: 'Web shop' }).click()
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 900 })
    await expect(page.getByRole('dialog').getByRole('table').first()).toBeVisible()
    await expectNoViolation(page)
  }
})

test('the dialogs of the planning structure, and an open version, have no accessibility violation', async ({
  page,
  portal,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await portal.signIn('superadmin')
  await page.goto('/excel/versions')
  await page
    .getByRole('button', { name: /^[1-9]\d* milestones?$/ })
    .first()
    .click()
  await expect(page.getByRole('row', { name: /^Milestone / }).first()).toBeVisible()
  await expectNoViolation(page)
  for (const name of ['Add new Version(s)', 'Edit', 'Delete']) {
    await page.getByRole('button', { name, exact: true }).first().click()
    await expect(page.getByRole('dialog')).toBeVisible()
    await expectNoViolation(page)
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toHaveCount(0)
  }
})

test('the preview of entitlements and an editor with changes have no accessibility violation', async ({
  page,
  portal,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  await portal.signIn('admin', '/excel/security/user-security-groups')
  await page
    .getByRole('row', { name: /Ulla Berg/ })
    .getByRole('button', { name: 'More actions' })
    .click()
  await page.getByRole('menuitem', { name: 'See as Ulla Berg' }).click()
  await expect(page.getByRole('dialog')).toContainText('North quay')
  await expectNoViolation(page)
  for (const width of [1280, 360]) {
    await page.setViewportSize({ width, height: 900 })
    await page.goto('/excel/subareas/link?edit=new')
    await page.getByRole('radio', { name: 'Head office' }).click()
    await page.getByText('Only selected', { exact: true }).click()
    await expect(page.getByText('1 change', { exact: true })).toBeVisible()
    await expectNoViolation(page)
  }
})
