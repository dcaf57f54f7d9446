import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test, type Account } from './portal.ts'

const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice']

interface Screen {
  readonly name: string
  readonly account: Account | null
  readonly path: string
  readonly ready: (page: Page) => Promise<unknown>
}

const seen = (role: Parameters<Page['getByRole']>[0], name?: string | RegExp) => (page: Page) =>
  expect(page.getByRole(role, name === undefined ? {} : { name }).first()).toBeVisible()

const screens: readonly Screen[] = [
  { name: 'sign-in', account: null, path: '/signin', ready: seen('button', 'Sign in') },
  { name: 'forgotten password', account: null, path: '/reset-password', ready: seen('heading') },
  { name: 'home', account: 'admin', path: '/home', ready: seen('link', 'Cin7 Core') },
  { name: 'dashboard', account: 'superadmin', path: '/connectors/postgres/refresh', ready: seen('article') },
  { name: 'dashboard with a stalled run', account: 'admin', path: '/connectors/cin7/refresh', ready: seen('article') },
  { name: 'dashboard, empty', account: 'guest', path: '/connectors/mysql/refresh', ready: seen('heading') },
  { name: 'management', account: 'superadmin', path: '/connectors/cin7/manage', ready: seen('article') },
  { name: 'adding a connector', account: 'superadmin', path: '/connectors/sqlserver/manage?new=true', ready: seen('dialog') },
  { name: 'administration', account: 'superadmin', path: '/admin/dashboard', ready: seen('heading', /insights|running|organisation/i) },
  { name: 'users', account: 'admin', path: '/admin/security/users', ready: seen('article') },
  { name: 'profile', account: 'user', path: '/profile', ready: seen('heading') },
  { name: 'refused', account: 'user', path: '/admin/dashboard', ready: seen('heading') },
  { name: 'unknown path', account: 'user', path: '/no/such/page', ready: seen('heading') },
]

for (const { name, account, path, ready } of screens) {
  for (const scheme of ['light', 'dark'] as const) {
    test(`${name} has no accessibility violation, ${scheme}, at 1280 and 360`, async ({ page, portal }) => {
      await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' })
      if (account !== null) await portal.signIn(account)
      for (const width of [1280, 360]) {
        await page.setViewportSize({ width, height: 900 })
        await page.goto(path)
        await ready(page)
        await expectNoViolation(page)
        expect(
          await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth),
          'no sideways scrolling',
        ).toBe(0)
      }
    })
  }
}

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

async function expectNoViolation(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).withTags(tags).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' | ')}`)).toEqual([])
}
