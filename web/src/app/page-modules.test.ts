/** `page-modules.json`: the modules of each route's page, whose files the page asks for before the router is there. */
import type { RouteObject } from 'react-router'
import { expect, test } from 'vitest'
import { routes } from './router.tsx'

test('page-modules.json names, for every route, the modules that its page waits for (made anew by `vitest -u`)', async () => {
  const byRoute = modulesOf(routes).filter(([, modules]) => modules.length > 0)
  expect(Object.fromEntries(byRoute)['/connectors/:type/manage']).toContain(
    'src/features/connectors/manage/manage-page.tsx',
  )
  // One line for each, as the formatter has it.
  const lines = byRoute.map(
    ([route, modules]) => `  "${route}": [${modules.map((module) => `"${module}"`).join(', ')}]`,
  )
  await expect(`{\n${lines.join(',\n')}\n}\n`).toMatchFileSnapshot('page-modules.json')
})

/** The shell is no part of it: it is in the file that all signed-in pages share. */
function modulesOf(
  all: readonly RouteObject[],
  above = { path: '', modules: [] as readonly string[] },
): [string, readonly string[]][] {
  return all.flatMap(({ path = '', children = [], handle }) => {
    const full = path.startsWith('/') ? path : `${above.path}${path === '' ? '' : `/${path}`}`
    const modules = [...above.modules, ...moduleOf(handle)].filter((module) => !module.startsWith('src/app/shell/'))
    const inside = modulesOf(children, { path: full, modules })
    if (full.includes('*') || inside.some(([route]) => route === full)) return inside
    const optional = full.replace(/\/:\w+\?$/u, '')
    const withIt = full.replace('?', '')
    return full === ''
      ? inside
      : [...[...new Set([optional, withIt])].map((one): [string, readonly string[]] => [one, modules]), ...inside]
  })
}

/** As the router imports it; vitest writes the import in a way of its own. */
function moduleOf(load: unknown): string[] {
  const path = /['"]([^'"]+\.tsx)['"]/u.exec(String(load))?.[1]
  return load === undefined ? [] : [`src/${path?.replace(/^.*?(?=features\/|app\/|shell\/)/u, '')}`]
}
